import { existsSync, readFileSync } from 'node:fs'

/** Of the package that this file belongs to: two folders up from source and from the program, three from what is built between them. */
export function version(): string {
  const file = ['../../package.json', '../../../package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url))
  const manifest: unknown = file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'))
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return known ? String(manifest.version) : 'unknown'
}
