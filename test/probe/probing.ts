import { afterEach, expect } from 'vitest'
import { createProber, type Prober } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER, type ProberDeps, type ProberSettings } from '../../src/probe/settings.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import type { Store } from '../../src/store/store.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { aListing } from '../support/samples.ts'
import { type Answer, type Sellers, startSellers } from './sellers.ts'

// What the tests of a prober do with one.

/** Starts sellers that are closed after the test. */
export function sellersForTests(): (answer: Answer) => Promise<Sellers> {
  const open: Sellers[] = []
  afterEach(async () => {
    for (const sellers of open.splice(0)) await sellers.close()
  })
  return async (answer) => {
    const sellers = await startSellers(answer)
    open.push(sellers)
    return sellers
  }
}

export const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
export const nowUs = (): number => Date.now() * 1000

const settings = (more: Partial<ProberSettings>): ProberSettings => ({
  ...DEFAULT_PROBER,
  manners: { gapMs: 0, optOut: [] },
  limits: { deadlineMs: 2000, maxBodyBytes: 65_536 },
  ...more,
})

let names = 0
export function proberOf(
  store: Store,
  sellers: Pick<Sellers, 'egress'>,
  more: Partial<ProberSettings & ProberDeps> = {},
): Prober {
  const doors = { store, egress: sellers.egress, nowUs, log: SILENT, name: `test-${names++}`, ...more }
  return createProber(doors, settings(more))
}

/** One round over everything that is due, with a clock that may run ahead. */
export async function round(prober: Prober, atUs = nowUs()): Promise<void> {
  const never = new AbortController().signal
  await prober.enrolAll(never)
  await prober.round({ cutoffUs: Math.max(atUs, nowUs()), hostIds: null }, never)
}

export const list = (
  store: Store,
  host: string,
  paths: readonly string[],
  more: Parameters<typeof aListing>[0] = {},
): Promise<unknown> =>
  saveListings(store, { listings: paths.map((path) => aListing({ host, path, scheme: 'http', ...more })) })

export const entriesIn = async (store: Store) => store.read.selectFrom('probes').selectAll().execute()

export async function differencesIn(store: Store): Promise<string[]> {
  const found: string[] = []
  await verifyStore(store, ({ host, what, stored, counted }) => found.push(`${host} ${what} ${stored} ${counted}`))
  return found
}

export const range = (n: number): string[] => Array.from({ length: n }, (_, i) => `/${i}`)

export const until = (holds: () => unknown): Promise<void> =>
  expect.poll(holds, { timeout: 20_000, interval: 20 }).toBeTruthy()
