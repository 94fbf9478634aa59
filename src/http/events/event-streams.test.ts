import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { MemoryDirectory } from '../testing/samples.ts'
import { EventStreams, STREAM_SETTINGS } from './event-streams.ts'

const SITE = { baseUrl: 'https://tollbook.example' }
const FROM = { address: '192.0.2.1', network: '192.0.2.0/24' }
const never = (): void => {
  throw new Error('nobody is slow here')
}

/** Reads until so many announcements have come; answers their hosts and the last id. */
async function take(body: ReadableStream<Uint8Array>, count: number): Promise<{ hosts: string[]; last: string }> {
  const reader = body.getReader()
  let text = new TextDecoder().decode((await reader.read()).value)
  while ((text.match(/^event: /gm)?.length ?? 0) < count) {
    const { value, done } = await reader.read()
    if (done) throw new Error('the stream has ended')
    text += new TextDecoder().decode(value)
  }
  await reader.cancel()
  return {
    hosts: [...text.matchAll(/"host":"([^"]+)"/g)].map(([, host = '']) => host),
    last: [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
  }
}

it('a stream that is looked up while the server stops is refused, and nothing waits for it', async () => {
  const directory = new MemoryDirectory()
  let found = (_: string): void => undefined
  directory.lastArrival = () =>
    new Promise((resolve) => {
      found = resolve
    })
  const streams = new EventStreams(SITE, directory, () => performance.now(), never, STREAM_SETTINGS)
  const opening = streams.open({ host: null, kinds: [], after: null }, FROM, never)
  streams.close()
  found('event-0')
  await expect(opening).rejects.toMatchObject({ slug: 'too-many-streams' })
  expect(streams.size).toBe(0)
})

onEachEngine('streams over a real store', (engine) => {
  it('tell what is written while they are read, and go on where a client was cut off', async () => {
    const store = await engine.open()
    const troubles: unknown[] = []
    const settings = { ...STREAM_SETTINGS, pollMs: 10 }
    const streams = new EventStreams(
      SITE,
      directoryOf(store),
      () => performance.now(),
      (error) => troubles.push(error),
      settings,
    )
    const announce = (n: number) =>
      saveListings(
        store,
        { listings: [aListing({ host: `h${n}.seller.example` })] },
        {
          announceUs: Date.now() * 1000 - n * 1_000_000,
        },
      )
    await announce(0)
    const live = await streams.open({ host: null, kinds: [], after: null }, FROM, never)
    const taking = take(live, 3)
    for (const n of [1, 2, 3]) await announce(n)
    const { hosts, last } = await taking
    expect(hosts).toEqual(['h1.seller.example', 'h2.seller.example', 'h3.seller.example'])
    for (const n of [4, 5]) await announce(n)
    const resumed = await streams.open({ host: null, kinds: [], after: last }, FROM, never)
    expect((await take(resumed, 2)).hosts).toEqual(['h4.seller.example', 'h5.seller.example'])
    const ofOne = await streams.open({ host: 'h4.seller.example', kinds: ['route_appeared'], after: last }, FROM, never)
    expect((await take(ofOne, 1)).hosts).toEqual(['h4.seller.example'])
    await expect(streams.open({ host: null, kinds: [], after: 'nonsense' }, FROM, never)).rejects.toThrow('cursor')
    streams.close()
    expect([streams.size, troubles]).toEqual([0, []])
  })

  it('are told after what to go on before anything was announced, also in an empty store', async () => {
    const store = await engine.open()
    const streams = new EventStreams(SITE, directoryOf(store), () => performance.now(), never, STREAM_SETTINGS)
    const cutOff = async () => {
      const { last } = await take(await streams.open({ host: null, kinds: [], after: null }, FROM, never), 0)
      return last
    }
    for (const host of ['first.seller.example', 'second.seller.example']) {
      const after = await cutOff()
      await saveListings(store, { listings: [aListing({ host })] }, { announceUs: Date.now() * 1000 })
      const resumed = await streams.open({ host: null, kinds: [], after }, FROM, never)
      expect((await take(resumed, 1)).hosts).toEqual([host])
    }
    streams.close()
  })

  it('are refused while the store does not answer, and begin at the end once it does', async () => {
    const store = await engine.open()
    const directory = directoryOf(store)
    let isAway = true
    const reached = async <T>(answer: () => Promise<T>): Promise<T> => {
      if (isAway) throw new Error('connect ECONNREFUSED')
      return answer()
    }
    const troubles: unknown[] = []
    const streams = new EventStreams(
      SITE,
      {
        epoch: () => directory.epoch(),
        lastArrival: () => reached(() => directory.lastArrival()),
        arrivals: (query) => reached(() => directory.arrivals(query)),
      },
      () => performance.now(),
      (error) => troubles.push(error),
      { ...STREAM_SETTINGS, pollMs: 10 },
    )
    const announce = (host: string) =>
      saveListings(store, { listings: [aListing({ host })] }, { announceUs: Date.now() * 1000 })
    const following = { host: null, kinds: [], after: null }
    await announce('old.seller.example')
    await expect(streams.open(following, FROM, never)).rejects.toThrow('ECONNREFUSED')
    expect([streams.size, troubles.length]).toEqual([0, 1])
    isAway = false
    const taking = take(await streams.open(following, FROM, never), 1)
    await announce('new.seller.example')
    expect((await taking).hosts).toEqual(['new.seller.example'])
    streams.close()
  })
})
