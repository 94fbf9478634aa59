import { execFileSync } from 'node:child_process'
import { anvilBinary, PLATFORM } from '../../sandbox/chain/anvil.ts'
import { citusPrograms } from './citus-programs.ts'

/** Says what a run is worth: three versions of Node are promised, and where a second opinion is missing is no secret. */
export default function setup(): void {
  const anvil = anvilBinary()
  console.log(`Tests run on Node ${process.versions.node} (${PLATFORM})`)
  console.log(`chains: JavaScript${anvil === null ? ` (no anvil for ${PLATFORM})` : `, anvil ${versionOf(anvil)}`}`)
  if (citusPrograms() === null) console.log('citus: not installed here, its tests did not run (scripts/citus.sh)')
}

const versionOf = (binary: string): string =>
  /\d+\.\d+\.\d+/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'of unknown version'
