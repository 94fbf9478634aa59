import { createHash } from 'node:crypto'
import type { Ledger } from '../../src/acts/posts/ledger.ts'
import type { PostAnswer, PostRequest, Threads } from '../../src/acts/posts/threads.ts'
import { createThreads } from '../../src/acts/posts/threads.ts'
import { plainSignatures } from '../../src/acts/testing/buyer.ts'
import { answered, SILENT } from '../../src/acts/testing/post-harness.ts'
import { Problem } from '../../src/domain/problem.ts'
import { createMppRail } from '../../src/payment/mpp/rail.ts'
import { isSet, type PaymentRail, type UnsetRail } from '../../src/payment/rail.ts'
import { createX402Rail } from '../../src/payment/x402/rail.ts'
import type { Store } from '../../src/store/store.ts'
import { type FaultyNode, startFaultyNode } from '../support/faulty-node.ts'
import { type ScriptedFacilitator, startScriptedFacilitator } from '../support/scripted-facilitator.ts'
import type { Captured } from './clients.ts'
import { Mortal } from './mortal.ts'
import type { RealChains } from './real-chains.ts'

/** A running program of the directory, without its web server. */
export interface Program extends Ledger {
  readonly threads: Threads
  readonly mortal: Mortal
}

export interface ProgramOptions {
  /** How many steps it lives; for ever unless given. */
  readonly steps?: number
  /** Its clock ahead of this machine's. */
  readonly aheadS?: number
  readonly settleWaitMs?: number
  /** False: `RPC_URLS` names no node of Base, so that the facilitator is believed. */
  readonly hasNode?: boolean
  /** Called when a payment was checked and its intent stored, right before it is settled. */
  readonly onSettle?: () => void
}

/** One run's own way to the chains, which can be cut and made to lie; its programs share the store with every other. */
export interface Lane {
  readonly facilitator: ScriptedFacilitator
  readonly baseNode: FaultyNode
  readonly tempoNode: FaultyNode
  start(options?: ProgramOptions): Program
  stop(): Promise<void>
}

/** Long enough on a machine that is busy, short enough to wait for what never comes. */
const SETTLE_MS = 1_500
const CALL_MS = 700
export const SITE = 'https://tollbook.example'

export async function openLane(chains: RealChains, store: Store): Promise<Lane> {
  const [facilitator, baseNode, tempoNode] = await Promise.all([
    startScriptedFacilitator(chains.facilitator.url),
    startFaultyNode(chains.base.rpcUrl),
    startFaultyNode(chains.tempo.url),
  ])
  const urls = { facilitator: facilitator.url, base: baseNode.url, tempo: tempoNode.url }
  return {
    facilitator,
    baseNode,
    tempoNode,
    start: (options = {}) => startProgram(chains, store, urls, options),
    stop: async () => {
      await Promise.all([facilitator.stop(), baseNode.stop(), tempoNode.stop()])
    },
  }
}

/** Where a program finds its facilitator and nodes. */
interface Backends {
  readonly facilitator: string
  readonly base: string
  readonly tempo: string
}

/** A program with nothing between it and the chains. */
export const startHealthy = (chains: RealChains, store: Store, options: ProgramOptions): Program =>
  startProgram(
    chains,
    store,
    { facilitator: chains.facilitator.url, base: chains.base.rpcUrl, tempo: chains.tempo.url },
    options,
  )

function startProgram(
  { base, tempo, payee }: RealChains,
  store: Store,
  backends: Backends,
  { steps, aheadS = 0, settleWaitMs = 10_000, hasNode = true, onSettle = () => undefined }: ProgramOptions,
): Program {
  const nowUs = (): number => (Date.now() + aheadS * 1000) * 1000
  const mortal = new Mortal(steps)
  const x402 = createX402Rail({
    config: {
      payTo: [payee],
      networks: [{ network: base.network, dollar: null }],
      facilitatorUrl: backends.facilitator,
      facilitatorHeaders: {},
    },
    rpcUrls: new Map(hasNode ? [[base.network, backends.base]] : []),
    nowUs,
    deadlines: { settleMs: SETTLE_MS },
  })
  const mpp = createMppRail({
    config: {
      recipient: payee,
      currency: tempo.currency,
      rpcUrl: backends.tempo,
      secretKey: 'a secret of at least thirty-two bytes',
    },
    realm: new URL(SITE).host,
    nowUs,
    callMs: CALL_MS,
    settleMs: SETTLE_MS,
  })
  const dying = (rail: PaymentRail | UnsetRail): PaymentRail => {
    if (!isSet(rail)) throw new Error(`not set: ${rail.missing.join(', ')}`)
    const settle: PaymentRail['settle'] = async (payment) => {
      await mortal.step()
      onSettle()
      const outcome = await rail.settle(payment)
      await mortal.step()
      return outcome
    }
    // The terms of mpp are known once its node has answered.
    return Object.defineProperties({ ...rail, settle }, { terms: { get: () => rail.terms } })
  }
  const rails = { x402: dying(x402), mpp: dying(mpp) }
  const ledger: Ledger = { store: mortal.storeOf(store), rails, nowUs, log: SILENT }
  return { ...ledger, mortal, threads: createThreads({ ...ledger, signatures: plainSignatures, settleWaitMs }) }
}

export const endpointOf = (rail: 'x402' | 'mpp', host: string): string =>
  `${SITE}${rail === 'mpp' ? '/mpp' : ''}/v1/thread/${host}`

/** What a client sent, as the web server would hand it on. */
export const requestOf = ({ url, headers, body }: Captured): PostRequest => ({
  rail: url.startsWith(`${SITE}/mpp/`) ? 'mpp' : 'x402',
  host: url.slice(url.lastIndexOf('/') + 1),
  resource: url,
  bodyDigest: createHash('sha256').update(body).digest('hex'),
  header: (name) => headers[name.toLowerCase()],
  body: async () => JSON.parse(body),
})

export const sendTo = (threads: Threads, sent: Captured): Promise<PostAnswer | Problem> =>
  answered(threads, requestOf(sent))

/** The endpoint's own answer to a client that asks without paying. */
export const asking =
  (threads: Threads): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const headers = Object.fromEntries(request.headers)
    const answer = await sendTo(threads, { url: request.url, headers, body: await request.text() })
    if (!(answer instanceof Problem)) throw new Error('an answer without a payment')
    return new Response(JSON.stringify(answer.more), { status: answer.status, headers: { ...answer.headers } })
  }
