import { setImmediate } from 'node:timers/promises'

/** Work on a stranger's document, item by item: whoever goes through it decides whether others have a turn in between. */
export type Steps<Result> = Generator<undefined, Result>

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** No page, probe or payment waits longer than this for a document to be read. */
const TURN_MS = 20

export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let startedMs = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - startedMs < TURN_MS) continue
    await setImmediate()
    startedMs = performance.now()
  }
}
