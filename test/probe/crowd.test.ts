import { expect, it } from 'vitest'
import { createProber } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../../src/probe/settings.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { onEachEngine } from '../support/engines.ts'
import { aListing } from '../support/samples.ts'
import { startSellers, withoutRobots } from './sellers.ts'

const HOSTS = 60

onEachEngine('a listing of many names on one address', (engine) => {
  it('aims no crowd of probes at it, is told to the operator, and every name is probed all the same', async () => {
    const store = await engine.open()
    let underWay = 0
    let most = 0
    const sellers = await startSellers(
      withoutRobots((_request, response) => {
        most = Math.max(most, ++underWay)
        setTimeout(() => {
          underWay--
          response.writeHead(200).end()
        }, 60)
      }),
    )
    const hosts = Array.from({ length: HOSTS }, (_, n) => `n${n}.example`)
    await saveListings(store, { listings: hosts.map((host) => aListing({ host, path: '/', scheme: 'http' })) })
    const warnings: object[] = []
    const crowds: string[] = []
    const silent = () => undefined
    const prober = createProber(
      {
        ...{ store, egress: sellers.egress, nowUs: () => Date.now() * 1000, name: 'test' },
        log: { info: silent, error: silent, warn: (fields) => warnings.push(fields) },
        onCrowd: (address) => crowds.push(address),
      },
      { ...DEFAULT_PROBER, manners: { gapMs: 50, optOut: [] } },
    )
    const never = new AbortController().signal
    await prober.enrolAll(never)
    await prober.round({ cutoffUs: Date.now() * 1000, hostIds: null }, never)
    await sellers.close()
    const called = sellers.seen.filter(({ path }) => path === '/').map(({ host }) => host)
    expect(called.toSorted()).toEqual(hosts.toSorted())
    expect(most).toBeLessThanOrEqual(8)
    expect([crowds, warnings]).toEqual([['127.0.0.1'], [{ address: '127.0.0.1', names: 50 }]])
  })
})
