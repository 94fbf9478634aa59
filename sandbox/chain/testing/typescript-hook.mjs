import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

/**
 * Turns TypeScript into JavaScript while it is loaded: older versions of Node cannot.
 * @type {import('node:module').LoadHook}
 */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const file = fileURLToPath(url)
  const { code, errors } = transformSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return { format: 'module', shortCircuit: true, source: code }
}
