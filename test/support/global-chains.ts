import { anvilBinary, PLATFORM } from '../../sandbox/chain/anvil.ts'

/** Says on which chains a run is: a second opinion that is missing is no secret. */
export default function setup(): void {
  if (anvilBinary() === null) {
    console.info(`anvil: not present on ${PLATFORM}, chain tests run on the JavaScript chain alone`)
  }
}
