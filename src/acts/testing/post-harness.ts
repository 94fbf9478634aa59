import { Problem } from '../../domain/problem.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import type { Store } from '../../store/store.ts'
import type { Ledger } from '../posts/ledger.ts'
import type { PostAnswer, PostRequest, Threads } from '../posts/threads.ts'
import { createThreads } from '../posts/threads.ts'
import { plainSignatures } from './buyer.ts'
import { type FakeChain, fakeChain } from './fake-chain.ts'
import { type FakeRailOptions, fakeRail } from './fake-rail.ts'

export const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A clock that is moved by hand. */
export class Clock {
  /** 2026-11-14T12:00:00Z */
  us: TimestampUs = Date.UTC(2026, 10, 14, 12) * 1000
  readonly nowUs = (): TimestampUs => this.us
  passSeconds(seconds: number): void {
    this.us += seconds * 1_000_000
  }
}

export interface PostHarness extends Ledger {
  readonly threads: Threads
  readonly rail: ReturnType<typeof fakeRail>
}

export interface PostHarnessOptions extends Partial<Omit<FakeRailOptions, 'chain'>> {
  readonly chain?: FakeChain
  readonly settleWaitMs?: number
  /** True: mpp is set up as well, on the same chain. */
  readonly hasMpp?: boolean
}

/** A program's threads over a store, paid on the fake chain; mpp is not set up unless asked for. */
export function createPostHarness(store: Store, clock: Clock, options: PostHarnessOptions = {}): PostHarness {
  const settings = { chain: fakeChain(), nowUs: clock.nowUs, fault: () => 'ok' as const, ...options }
  const rail = fakeRail({ name: 'x402', ...settings })
  const past = async () => fakeRail({ ...settings, name: 'mpp' })
  const unset = { name: 'mpp', missing: ['MPP_RECIPIENT', 'MPP_SECRET_KEY'], past } as const
  const mpp = options.hasMpp === true ? fakeRail({ ...settings, name: 'mpp', hasNode: () => true }) : unset
  const ledger: Ledger = { store, rails: { x402: rail, mpp }, nowUs: clock.nowUs, log: SILENT }
  const { settleWaitMs = 10_000 } = options
  return { ...ledger, rail, threads: createThreads({ ...ledger, signatures: plainSignatures, settleWaitMs }) }
}

/** Hosts that a listing source has named. */
export async function listHosts(store: Store, hosts: readonly string[]): Promise<void> {
  const listing = { scheme: 'https', method: 'GET', path: '/v1', rail: 'x402', source: 'bazaar' } as const
  const listings = hosts.map((host) => ({ ...listing, host, price: 10_000, network: 'base', firstUs: 1, lastUs: 1 }))
  await saveListings(store, { listings })
}

/** What a request was answered with, problems too. */
export async function answered(threads: Threads, request: PostRequest): Promise<PostAnswer | Problem> {
  try {
    return await threads.post(request)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
