import { rmSync } from 'node:fs'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { payeeOf } from '../../sandbox/accounts.ts'
import { fetchFrom } from '../../sandbox/agents/buyers.ts'
import { startBase } from '../../sandbox/chain/base.ts'
import { startFacilitator } from '../../sandbox/chain/facilitator.ts'
import { startTempo, type Tempo } from '../../sandbox/chain/tempo.ts'
import { mppGate } from '../../sandbox/shop/mpp-gate.ts'
import { BASE, TEMPO } from '../../sandbox/shop/sellers.ts'
import { openShops } from '../../sandbox/shop/server.ts'
import { x402Gate } from '../../sandbox/shop/x402-gate.ts'
import type { Method, Rail } from '../../src/domain/route.ts'
import { DAY_US } from '../../src/domain/time/day.ts'
import { loadConfig } from '../../src/main/config.ts'
import { serve } from '../../src/main/serve.ts'
import { openStore } from '../../src/store/open.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { temporaryFolder } from '../support/engines.ts'
import { aListing, aProbe, evidence } from '../support/samples.ts'

/** What the directory has seen of one route, whatever its seller asks for now. */
export interface Remembered {
  readonly host: string
  readonly method: Method
  readonly path: string
  readonly rail: Rail
  /** In millionths of a dollar, listed and observed. */
  readonly price: number
  /** The seller's own unless given. */
  readonly payee?: string
}

/** Real sellers and chains of both rails, and a directory that remembers what a test says. */
export interface GuardWorld {
  readonly directory: string
  readonly tempo: Tempo
  /** Requests to sellers by their names. */
  readonly fetch: typeof fetch
  /** A funded wallet, and how often it has signed anything. */
  wallet(): Promise<{ readonly account: PrivateKeyAccount; signed(): number }>
  fund(key: Hex): Promise<PrivateKeyAccount>
  stop(): Promise<void>
}

const DOLLARS = 1_000_000n

export async function guardWorld(remembered: readonly Remembered[]): Promise<GuardWorld> {
  const folder = temporaryFolder()
  const [base, tempo] = await Promise.all([startBase({ blockTimeS: 1 }), startTempo()])
  const facilitator = await startFacilitator(base)
  const addressOf = (seller: { host: string }) => payeeOf(seller).address
  const shops = await openShops({
    terms: { dollar: base.dollar, pathUsd: tempo.currency, payeeOf: addressOf },
    x402: x402Gate({ facilitatorUrl: facilitator.url, dollar: base.dollar, payeeOf: addressOf }),
    mpp: mppGate({ chain: tempo, secretKey: 'a secret of at least thirty-two bytes', payeeOf: addressOf }),
    proofOf: () => '',
  })
  const config = loadConfig({
    ...{ PORT: '0', BIND: '127.0.0.1', DATA_DIR: folder, ALLOW_HOSTS: '*.seller.test' },
    ...{ RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
  })
  const store = await openStore(config)
  await saveEvidence(store, evidenceOf(remembered, Date.now() * 1000, { x402: base.dollar, mpp: tempo.currency }))
  await store.close()
  const running = await serve(config, ['web'])
  const fund = async (key: Hex): Promise<PrivateKeyAccount> => {
    const account = privateKeyToAccount(key)
    await Promise.all([base.fund(account.address, DOLLARS), tempo.fund(account.address, 100n * DOLLARS)])
    return account
  }
  return {
    directory: running.address ?? '',
    tempo,
    fetch: fetchFrom(shops.port),
    fund,
    wallet: async () => counting(await fund(generatePrivateKey())),
    stop: async () => {
      await running.stop(1000)
      await shops.stop()
      await facilitator.stop()
      await Promise.all([base.stop(), tempo.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function counting(account: PrivateKeyAccount) {
  let signatures = 0
  const counted = new Proxy(account, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (!String(name).startsWith('sign') || typeof value !== 'function') return value
      return (...args: unknown[]) => {
        signatures += 1
        return Reflect.apply(value, target, args)
      }
    },
  })
  return { account: counted, signed: () => signatures }
}

/** Three days of probes that saw the same, and a list that says so. */
function evidenceOf(remembered: readonly Remembered[], nowUs: number, assets: Readonly<Record<Rail, string>>) {
  const days = [3, 2, 1].map((ago) => nowUs - ago * DAY_US)
  const all = remembered.map(({ host, method, path, rail, price, payee = payeeOf({ host }).address }) => {
    const route = { host, method, path, rail, scheme: 'http' } as const
    const network = rail === 'x402' ? BASE : TEMPO
    const challenge = { offers: [{ rail, network, price, asset: assets[rail], payee }], warnings: [] }
    return {
      listing: aListing({ ...route, price, network, firstUs: nowUs - 9 * DAY_US, lastUs: nowUs }),
      payee: {
        ...route,
        network,
        payee,
        asset: assets[rail],
        origin: 'challenge' as const,
        firstUs: nowUs - 3 * DAY_US,
        lastUs: nowUs - DAY_US,
      },
      probes: days.map((atUs) => aProbe({ ...route, atUs, challenge })),
    }
  })
  return evidence({
    listings: all.map(({ listing }) => listing),
    payees: all.map(({ payee }) => payee),
    probes: all.flatMap(({ probes }) => probes),
  })
}
