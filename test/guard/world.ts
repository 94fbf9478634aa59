import { rmSync } from 'node:fs'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { payeeOf } from '../../sandbox/accounts.ts'
import { account as accountOf, startBase } from '../../sandbox/chain/base.ts'
import { dollarAbi, dollarCode } from '../../sandbox/chain/contracts.ts'
import { startFacilitator } from '../../sandbox/chain/facilitator.ts'
import { startTempo, type Tempo } from '../../sandbox/chain/tempo.ts'
import { LIARS, ODD_COIN } from '../../sandbox/shop/liars.ts'
import { mppGate } from '../../sandbox/shop/mpp-gate.ts'
import { BASE, type SampleSeller, TEMPO } from '../../sandbox/shop/seller.ts'
import { SELLERS } from '../../sandbox/shop/sellers.ts'
import { openShops } from '../../sandbox/shop/server.ts'
import { type X402Gate, x402Gate } from '../../sandbox/shop/x402-gate.ts'
import type { Method, Rail } from '../../src/domain/route.ts'
import { DAY_US } from '../../src/domain/time/day.ts'
import { loadConfig } from '../../src/main/config.ts'
import { serve } from '../../src/main/serve.ts'
import { openStore } from '../../src/store/open.ts'
import type { OfferInput } from '../../src/store/probes/offers/offer-input.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { readSignedOffers } from '../../src/wire/offers/read-offers.ts'
import { temporaryFolder } from '../support/engines.ts'
import { aListing, aProbe, evidence } from '../support/samples.ts'
import { fetchFrom } from './fetch-from.ts'

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
  /** The chain of the rail unless given. */
  readonly network?: string
  /** Whether what the seller signs was seen, too. */
  readonly signs?: boolean
  /** Whom the newest challenge of all named in place of it, an hour ago. */
  readonly payeeToday?: string
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
  /** What a wallet holds of the dollar of a rail; for x402, of another token where it is named. */
  balanceOf(rail: Rail, address: Address, asset?: Address): Promise<bigint>
  readonly gates: { readonly x402: X402Gate; readonly mppx: Parameters<typeof mppGate>[0] }
  stop(): Promise<void>
}

const DOLLARS = 1_000_000n
/** Of the chain's accounts: who mints the coin that nobody knows. */
const ODD_MINTER = 7

/** Every liar once more, in the first version of x402. */
export const V1_LIARS: readonly SampleSeller[] = Object.values(LIARS).map((liar) => ({
  ...liar,
  host: `v1-${liar.host}`,
  version: 1,
}))

export async function guardWorld(remembered: readonly Remembered[]): Promise<GuardWorld> {
  const folder = temporaryFolder()
  const [base, tempo] = await Promise.all([startBase({ blockTimeS: 1 }), startTempo()])
  const facilitator = await startFacilitator(base)
  const addressOf = (seller: { host: string }) => payeeOf(seller).address
  const x402 = x402Gate({ facilitatorUrl: facilitator.url, dollar: base.dollar, payeeOf: addressOf })
  const mppx = { chain: tempo, secretKey: 'a secret of at least thirty-two bytes', payeeOf: addressOf }
  const shops = await openShops({
    terms: { dollar: base.dollar, pathUsd: tempo.currency, payeeOf: addressOf },
    sellers: [...SELLERS, ...V1_LIARS],
    x402,
    mpp: mppGate(mppx),
    proofOf: () => '',
  })
  await base.testClient.setCode({ address: ODD_COIN, bytecode: dollarCode.runtime })
  const config = loadConfig({
    ...{ PORT: '0', BIND: '127.0.0.1', DATA_DIR: folder, ALLOW_HOSTS: '*.seller.test' },
    ...{ RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
    RPC_URLS: `${base.network}=${base.rpcUrl},tempo:${tempo.chainId}=${tempo.url}`,
  })
  const store = await openStore(config)
  const nowUs = Date.now() * 1000
  const fetch = fetchFrom(shops.port)
  const seen = evidenceOf(remembered, nowUs, { x402: base.dollar, mpp: tempo.currency })
  await saveEvidence(store, { ...seen, signedOffers: await signedBy(remembered, fetch, nowUs) })
  await store.close()
  const running = await serve(config, ['web'])
  const fund = async (key: Hex): Promise<PrivateKeyAccount> => {
    const account = privateKeyToAccount(key)
    const { nonceManager } = base
    const minter = base.walletClient({ ...accountOf(base.accounts, ODD_MINTER), nonceManager })
    const call = { address: ODD_COIN, abi: dollarAbi, functionName: 'mint', args: [account.address, DOLLARS] } as const
    await Promise.all([
      base.fund(account.address, DOLLARS),
      minter.writeContract(call).then((hash) => base.publicClient.waitForTransactionReceipt({ hash })),
      tempo.fund(account.address, 100n * DOLLARS),
    ])
    return account
  }
  return {
    directory: running.address ?? '',
    tempo,
    fetch,
    fund,
    gates: { x402, mppx },
    balanceOf: (rail, address, asset = base.dollar) =>
      rail === 'mpp'
        ? tempo.balanceOf(address)
        : base.publicClient.readContract({
            ...{ address: asset, abi: dollarAbi, functionName: 'balanceOf', args: [address] },
          }),
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

/** What sellers sign in their live challenges, as a probe of now would keep it. */
async function signedBy(remembered: readonly Remembered[], send: typeof fetch, nowUs: number): Promise<OfferInput[]> {
  const signing = remembered.filter(({ signs }) => signs)
  const found = signing.map(async ({ host, method, path, rail }) => {
    const answer = await send(`http://${host}${path}`, { method })
    const demand = Buffer.from(answer.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString()
    return readSignedOffers(JSON.parse(demand)).map((offer) => ({
      ...{ host, method, path, rail, scheme: 'http' as const, offer, firstUs: nowUs, lastUs: nowUs },
    }))
  })
  return (await Promise.all(found)).flat()
}

/** Three days of probes that saw the same, and a list that says so. */
function evidenceOf(remembered: readonly Remembered[], nowUs: number, assets: Readonly<Record<Rail, string>>) {
  const days = [3, 2, 1].map((ago) => nowUs - ago * DAY_US)
  const all = remembered.map((each) => {
    const { host, method, path, rail, price, payee = payeeOf({ host }).address, payeeToday } = each
    const route = { host, method, path, rail, scheme: 'http' } as const
    const network = each.network ?? (rail === 'x402' ? BASE : TEMPO)
    const asset = assets[rail]
    const naming = (to: string) => ({ offers: [{ rail, network, price, asset, payee: to }], warnings: [] })
    const seen = (to: string, firstUs: number, lastUs: number) =>
      ({ ...route, network, payee: to, asset, origin: 'challenge', firstUs, lastUs }) as const
    const hourAgo = nowUs - DAY_US / 24
    return {
      listing: aListing({ ...route, price, network, firstUs: nowUs - 9 * DAY_US, lastUs: nowUs }),
      payees: [
        seen(payee, nowUs - 3 * DAY_US, nowUs - DAY_US),
        ...(payeeToday === undefined ? [] : [seen(payeeToday, hourAgo, hourAgo)]),
      ],
      probes: [
        ...days.map((atUs) => aProbe({ ...route, atUs, challenge: naming(payee) })),
        ...(payeeToday === undefined ? [] : [aProbe({ ...route, atUs: hourAgo, challenge: naming(payeeToday) })]),
      ],
    }
  })
  return evidence({
    listings: all.map(({ listing }) => listing),
    payees: all.flatMap(({ payees }) => payees),
    probes: all.flatMap(({ probes }) => probes),
  })
}
