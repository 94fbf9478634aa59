import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadConfig } from '../src/main/config.ts'
import { serve } from '../src/main/serve.ts'
import { payeeOf, sampleAccount, sampleKey } from './accounts.ts'
import { buyAndReview, discuss, FOUNDER, fund, meetLiar, NEWCOMER, type Scene } from './agents/play.ts'
import { speak } from './agents/selling.ts'
import { type Base, startBase } from './chain/base.ts'
import { type Facilitator, startFacilitator } from './chain/facilitator.ts'
import { startTempo, type Tempo } from './chain/tempo.ts'
import { secretIn } from './folder.ts'
import { LIARS } from './shop/liars.ts'
import { mppGate } from './shop/mpp-gate.ts'
import { isListed, SELLERS, UNREACHABLE, WALLED } from './shop/sellers.ts'
import { openShops, type Shops } from './shop/server.ts'
import { x402Gate } from './shop/x402-gate.ts'
import type { Story } from './story.ts'
import { portFor, startWitness } from './witness.ts'

export interface World extends Scene {
  /** A key with play money on both chains, for the newcomer. */
  readonly keyFile: string
  /** Where an audit keeps what it has seen. */
  readonly auditFolder: string
  /** From the start to the first page with evidence, and to the end of the story. */
  readonly firstPageMs: number
  readonly completeMs: number
  stop(): Promise<void>
}

export interface WorldOptions {
  /** Everything that is kept between two starts; it is there. */
  readonly folder: string
  /** What the newcomer may set: PORT, BIND, BASE_URL, LOG_LEVEL. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly story: Story
  readonly signal: AbortSignal
}

const BLOCK_SECONDS = 1
const PATIENCE_MS = 60_000
const LOOK_MS = 200

/** Opens the whole world, step by step. Whatever was opened is closed again when a step fails. */
export async function openWorld({ folder, env, story, signal }: WorldOptions): Promise<World> {
  const startedMs = performance.now()
  // What the newcomer set is refused before anything is opened.
  loadConfig({ ...env, DATA_DIR: folder })
  const opened: (() => Promise<unknown>)[] = []
  const keep = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    opened.push(() => part.stop())
    return part
  }
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  const step: Story['step'] = (what, work, outcome) => {
    signal.throwIfAborted()
    return story.step(what, work, outcome)
  }
  try {
    const state = (name: string): string => join(folder, `${name}.chain.ndjson`)
    const base = await step(
      'A chain for x402',
      async () => keep(await startBase({ blockTimeS: BLOCK_SECONDS, stateFile: state('base') })),
      ({ network, rpcUrl }) => `${network} on ${rpcUrl}`,
    )
    const tempo = await step(
      'A chain for mpp',
      async () => keep(await startTempo({ stateFile: state('tempo') })),
      ({ chainId, url }) => `tempo:${chainId} on ${url}`,
    )
    const facilitator = await step(
      'A facilitator',
      async () => keep(await startFacilitator(base)),
      ({ url }) => url,
    )
    const secretKey = secretIn(folder)
    const shops = await step(
      'Sample sellers and three listing sources',
      async () => keep(await openSellers(base, tempo, facilitator, secretKey)),
      ({ port }) => `${SELLERS.length} sellers on port ${port}`,
    )
    const set = { ...settings({ folder, base, tempo, facilitator, shops, secretKey }), ...env }
    const { dataDir, port, ...said } = loadConfig(set)
    const own = { PORT: String(await portFor(port)) }
    const witness = await step(
      'A witness of its evidence log',
      async () => keep(await startWitness(folder, dataDir, said.baseUrl ?? `http://localhost:${own.PORT}`)),
      ({ url }) => url,
    )
    const directory = await step(
      'The directory',
      async () => {
        const running = await serve(loadConfig({ ...set, ...own, LOG_WITNESSES: witness.named }))
        opened.push(() => running.stop(5_000))
        return running.address ?? ''
      },
      (address) => address,
    )
    const keyFile = join(folder, 'newcomer.key')
    writeFileSync(keyFile, `${sampleKey(NEWCOMER)}\n`, { mode: 0o600 })
    const scene = { directory, shopsPort: shops.port, base, tempo }
    await evidence(scene, step, signal)
    const firstPageMs = performance.now() - startedMs
    await step(
      'A second prober looks from elsewhere',
      async () => {
        const abroad = {
          ...{ CONNECT_TO: connectTo(shops.abroadPort), VANTAGE: VANTAGES.abroad, METRICS_PORT: '' },
          // One look at its hundreds of routes is enough for a small machine.
          PROBE_OPT_OUT: 'catalogue.seller.test',
        }
        const running = await serve(loadConfig({ ...set, ...abroad }), ['probe'])
        opened.push(() => running.stop(5_000))
      },
      () => `${VANTAGES.abroad} beside ${VANTAGES.here}`,
    )
    await play(scene, step, signal)
    const auditFolder = join(folder, 'audit')
    return { ...scene, keyFile, auditFolder, firstPageMs, completeMs: performance.now() - startedMs, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Facts and observations come in, by the directory's own work. */
async function evidence({ directory }: Scene, step: Story['step'], signal: AbortSignal): Promise<void> {
  await step(
    'Listing sources are swept',
    () => until(async () => (await counted(`${directory}/v1/hosts/catalogue.seller.test`, 'routes')) === 300, signal),
    () => `${SELLERS.filter(isListed).length} hosts`,
  )
  await step('Routes are probed', () =>
    until(async () => (await probesOf(directory, 'weather.seller.test')) > 0, signal),
  )
}

/** Agents act. What an earlier start has done already is left alone. */
async function play(scene: Scene, step: Story['step'], signal: AbortSignal): Promise<void> {
  await step(
    'Agents get play money',
    () => fund(scene),
    (agents) => `${agents} agents, two chains`,
  )
  await step(
    'Agents buy from sellers and review them',
    () => buyAndReview(scene),
    (levels) => (levels.size === 0 ? 'done before' : [...levels].map(([level, n]) => `${n} ${level}`).join(', ')),
  )
  await step(
    'An agent asks before it pays a lying seller',
    async () => {
      // What it shows to probers is what it is held to; each of its two routes is probed.
      const { host } = LIARS['a price above the listed one']
      await until(async () => (await probesOf(scene.directory, host)) >= 2, signal)
      return meetLiar(scene)
    },
    (reason) => `nothing signed. ${reason}`,
  )
  await step(
    'A seller turns one of the two probers away',
    async () => {
      const both = /requested payment from .*; refused from /
      await until(async () => both.test(await seenFrom(scene.directory, WALLED)), signal)
      return seenFrom(scene.directory, WALLED)
    },
    (line) => line,
  )
  await step(
    'Agents pay for posts',
    () => discuss(scene),
    (posts) => (posts === 0 ? 'done before' : `${posts} posts on both rails`),
  )
  await step(
    'Sellers claim their pages, answer, dispute, retire and move',
    () => speak(scene),
    (said) => (said === 0 ? 'done before' : `${said} statements`),
  )
}

function openSellers(base: Base, tempo: Tempo, { url }: Facilitator, secretKey: string): Promise<Shops> {
  const addressOf = (seller: { host: string }) => payeeOf(seller).address
  const proofs = new Map<string, string>()
  return Promise.all(
    SELLERS.map(async (seller) => {
      proofs.set(seller.host, await payeeOf(seller).signMessage({ message: `http://${seller.host}` }))
    }),
  ).then(() =>
    openShops({
      terms: { dollar: base.dollar, pathUsd: tempo.currency, payeeOf: addressOf },
      x402: x402Gate({ facilitatorUrl: url, dollar: base.dollar, payeeOf: addressOf }),
      mpp: mppGate({ chain: tempo, secretKey, payeeOf: addressOf }),
      proofOf: (seller) => proofs.get(seller.host) ?? '',
    }),
  )
}

interface Parts {
  readonly folder: string
  readonly base: Base
  readonly tempo: Tempo
  readonly facilitator: Facilitator
  readonly shops: Shops
  readonly secretKey: string
}

/** From where the two probers look. */
const VANTAGES = { here: 'eu-1', abroad: 'ap-1' } as const

const connectTo = (port: number): string => `${UNREACHABLE}:80:127.0.0.1:1,*.seller.test:80:127.0.0.1:${port}`

/** The environment of a directory that lives in this world; production differs in nothing else. */
const settings = ({ folder, base, tempo, facilitator, shops, secretKey }: Parts) => ({
  DATA_DIR: folder,
  NOTICE: 'Sandbox: invented sellers and play money on this machine alone.',
  ALLOW_HOSTS: '*.seller.test',
  CONNECT_TO: connectTo(shops.port),
  VANTAGE: VANTAGES.here,
  SOURCES: [
    'sample-bazaar=bazaar:http://bazaar.seller.test',
    'sample-index=402index:http://index.seller.test/api/v1/services',
    'sample-mpp=mpp-directory:http://mpp.seller.test/api/services',
    'openapi=openapi:',
    'well-known=well-known:',
  ].join(','),
  SWEEP_INTERVAL: '60s,openapi=15s,well-known=15s',
  PROBE_INTERVAL: '20s',
  PROBE_GAP: '0ms',
  PROBE_CHECK: 'none',
  FOUNDER_WALLETS: sampleAccount(FOUNDER).address,
  X402_PAY_TO: sampleAccount('directory').address,
  X402_NETWORKS: base.network,
  X402_FACILITATOR_URL: facilitator.url,
  MPP_RECIPIENT: sampleAccount('directory').address,
  MPP_CURRENCY: tempo.currency,
  MPP_RPC_URL: tempo.url,
  MPP_SECRET_KEY: secretKey,
  RPC_URLS: `${base.network}=${base.rpcUrl},tempo:${tempo.chainId}=${tempo.url}`,
  RATE_LIMITS: 'unsigned=100/h,unsigned-host=1000/d,signed=1000/h,seller-host=1000/h,reads=6000/m',
  LOG_LEVEL: 'error',
})

async function until(isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const endMs = Date.now() + PATIENCE_MS
  while (!(await isSo())) {
    signal.throwIfAborted()
    if (Date.now() > endMs) throw new Error(`nothing came of it in ${PATIENCE_MS / 1000} s`)
    await wait(LOOK_MS)
  }
}

const probesOf = (directory: string, host: string): Promise<number> =>
  counted(`${directory}/v1/hosts/${host}`, 'machine_evidence_rows')

/** What each vantage sees of a host, in the words of its page. */
async function seenFrom(directory: string, host: string): Promise<string> {
  const { now } = await documentAt(`${directory}/v1/hosts/${host}`)
  const { vantages } = Object(now)
  return String(Object(vantages).line ?? '')
}

async function documentAt(url: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url)
  return answer.ok ? JSON.parse(await answer.text()) : {}
}

async function counted(url: string, counter: string): Promise<number> {
  const { counters } = await documentAt(url)
  const value = typeof counters === 'object' && counters !== null ? Object.entries(counters) : []
  return Number(value.find(([name]) => name === counter)?.[1] ?? 0)
}
