import { setTimeout as wait } from 'node:timers/promises'
import type { Seeded } from '../../test/crash/seeded.ts'
import { ask, isReady, until, writtenIn } from './asking.ts'
import type { BusyWorld } from './busy-world.ts'
import { HOST, ROUTE } from './sellers.ts'
import { type Acknowledged, lostOf } from './writers.ts'

/** A method that cannot see a loss proves nothing: these must lose something within so many tries. */
const MOST_TRIES = 10
const AT_ONCE = 40
const BACK_MS = 60_000

const review = (text: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ...ROUTE, rating: 3, text }),
})

/** Of reviews that were called kept as soon as they were sent: those that are not there after a kill of the program. */
export async function lostWhenOnlySent(world: BusyWorld, random: Seeded): Promise<number> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const texts = Array.from({ length: AT_ONCE }, (_, n) => `Control ${attempt}.${n}.`)
    const sent = texts.map((text) => ask(`${world.address}/v1/reviews`, review(text)))
    await wait(random.between(1, 30))
    await world.killProgram()
    await Promise.all(sent)
    await world.start()
    const page = (await ask(`${world.address}/v1/hosts/${HOST}/reviews?limit=200`))?.text ?? ''
    const lost = texts.filter((text) => !page.includes(text))
    if (lost.length > 0) return lost.length
  }
  return 0
}

/** Of reviews that were answered 201 by a Postgres that does not wait for its disk: those that a kill takes away. */
export async function lostWhenNotWritten(world: BusyWorld): Promise<number> {
  await world.forget()
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const acknowledged: Acknowledged = new Map()
    for (let n = 0; n < AT_ONCE; n++) {
      const text = `Control ${attempt}.${n}.`
      const reply = await ask(`${world.address}/v1/reviews`, review(text))
      if (reply?.status === 201) acknowledged.set(writtenIn(reply).id, text)
    }
    await world.postgres?.kill()
    await world.postgres?.start()
    await until(() => isReady(world.address), BACK_MS)
    const lost = await lostOf(world.address, 'reviews', acknowledged)
    if (lost.length > 0) return lost.length
  }
  return 0
}
