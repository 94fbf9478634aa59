import { execFileSync } from 'node:child_process'
import { anvilBinary, PLATFORM } from '../sandbox/chain/anvil.ts'

/** Which chains the tests of this machine run on. */
export function chainsHere(): string {
  const anvil = anvilBinary()
  return `chains: JavaScript${anvil === null ? ` (no anvil for ${PLATFORM})` : `, anvil ${versionOf(anvil)}`}`
}

const versionOf = (binary: string): string =>
  /\d+\.\d+\.\d+/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'of unknown version'

if (process.argv[1]?.endsWith('chains.js')) console.log(chainsHere())
