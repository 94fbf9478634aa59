#!/usr/bin/env node
import { existsSync } from 'node:fs'

const at = (path) => new URL(path, import.meta.url)

const stop = (line) => {
  process.stderr.write(`tollbook: ${line}\n`)
  process.exit(1)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  stop(`Node ${process.versions.node} is too old (install 20.19 or newer)`)

if (!existsSync(at('../dist/program/tollbook.js'))) {
  const command = existsSync(at('../node_modules')) ? 'npm run build' : 'npm ci'
  stop(`this checkout is not built (run ${command} in it)`)
}

const { main } = await import('../dist/program/tollbook.js')
try {
  process.exit(await main(process.argv.slice(2), process.env))
} catch (error) {
  const missing = /^Cannot find package '([^']+)'/.exec(error?.message)
  if (missing === null) throw error
  const command = import.meta.url.includes('/node_modules/') ? 'npm install --include=optional' : 'npm ci'
  stop(`the package ${missing[1]} is not installed (run ${command})`)
}
