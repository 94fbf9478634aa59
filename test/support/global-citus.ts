import { citusPrograms } from './citus-programs.ts'

/** Says whether the tests on a cluster run. */
export default function setup(): void {
  if (citusPrograms() === null) console.info('citus: not installed here, its tests did not run (scripts/citus.sh)')
}
