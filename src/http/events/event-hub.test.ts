import { setImmediate, setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { event } from '../../render/atom/testing/samples.ts'
import { HOST } from '../../render/testing/sample-views.ts'
import { MemoryDirectory } from '../testing/samples.ts'
import { EventHub } from './event-hub.ts'

const noTrouble = (error: unknown): never => {
  throw error
}

it('who came while the last look was ending is told of the next announcement at once', async () => {
  const directory = new MemoryDirectory()
  directory.put(HOST)
  let arrived = (): void => undefined
  const looking = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const arrivals = directory.arrivals.bind(directory)
  let isHeld = true
  directory.arrivals = async (query) => {
    if (isHeld) await looking
    isHeld = false
    return arrivals(query)
  }
  const hub = new EventHub(directory, noTrouble)
  const look = hub.poll()
  await setImmediate()
  // The only client leaves, and another comes before the look is over.
  hub.rest()
  const joined = hub.end()
  arrived()
  await look
  const after = await joined
  const { version } = hub
  expect(hub.after(after)?.events ?? []).toEqual([])
  const told = hub.wait(version, 60_000)
  directory.announce(event(1))
  await hub.poll()
  expect(await Promise.race([told.then(() => 'told'), setTimeout(2000, 'late')])).toBe('told')
  hub.wake()
})
