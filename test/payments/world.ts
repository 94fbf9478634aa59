import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Base, startBase } from '../../sandbox/chain/base.ts'
import { type Facilitator, startFacilitator } from '../../sandbox/chain/facilitator.ts'
import { startTempo, type Tempo } from '../../sandbox/chain/tempo.ts'
import { formatSignedAt } from '../../src/wire/signed-at.ts'
import { postMessage } from '../../src/wire/signed-lines.ts'
import { temporaryFolder } from '../support/engines.ts'
import { type Running, serving, tollbook } from '../support/program.ts'
import { type Relay, startRelay } from './relay.ts'

export const HOST = 'api.paid.example'
export const OTHER_HOST = 'other.paid.example'
/** 0.05 dollars in base units of either chain's dollar. */
export const PRICE = 50_000n

/** The whole program with real chains of both rails behind it, all on this machine. */
export interface PaidWorld {
  readonly folder: string
  readonly base: Base
  readonly tempo: Tempo
  readonly facilitator: Relay
  readonly baseNode: Relay
  readonly tempoNode: Relay
  /** Who is paid, on either rail. */
  readonly payee: PrivateKeyAccount
  readonly env: Readonly<Record<string, string>>
  server: Running
  restart(): Promise<void>
  /** A new wallet with that many base units on both chains. */
  wallet(baseUnits?: bigint): Promise<PrivateKeyAccount>
  /** A wallet's key in a file, for commands. */
  keyFile(wallet: string): string
  /** What the payee holds on both chains. */
  income(): Promise<bigint>
  stop(): Promise<void>
}

const listing = (host: string) => ({
  kind: 'listing',
  source: 'sample',
  method: 'GET',
  url: `https://${host}/v1/x`,
  rail: 'x402',
  price: '0.010000',
  network: 'base',
  label: 'directory-observed',
  first_observed: '2026-11-01T00:00:00.000000Z',
  last_observed: '2026-11-14T00:00:00.000000Z',
})

export async function paidWorld(): Promise<PaidWorld> {
  const folder = temporaryFolder()
  const [base, tempo] = await Promise.all([startBase({ blockTimeS: 1 }), startTempo()])
  const real: Facilitator = await startFacilitator(base)
  const [facilitator, baseNode, tempoNode] = await Promise.all([
    startRelay(real.url),
    startRelay(base.rpcUrl),
    startRelay(tempo.url),
  ])
  const payee = privateKeyToAccount(generatePrivateKey())
  // A first transfer to an address costs more gas on Tempo than later ones.
  await tempo.fund(payee.address, 1n)
  const env = {
    DATA_DIR: join(folder, 'data'),
    BASE_URL: 'http://tollbook.example',
    X402_PAY_TO: payee.address,
    X402_NETWORKS: 'base-sepolia',
    X402_FACILITATOR_URL: facilitator.url,
    RPC_URLS: `${base.network}=${baseNode.url}`,
    MPP_RECIPIENT: payee.address,
    MPP_CURRENCY: tempo.currency,
    MPP_RPC_URL: tempoNode.url,
    MPP_SECRET_KEY: 'a secret of at least thirty-two bytes',
    PROBE_CHECK: 'none',
  }
  writeFileSync(
    join(folder, 'hosts.ndjson'),
    `${[HOST, OTHER_HOST].map((host) => JSON.stringify(listing(host))).join('\n')}\n`,
  )
  const imported = await tollbook(['import', join(folder, 'hosts.ndjson')], env)
  if (imported.code !== 0) throw new Error(imported.err)
  const keys = new Map<string, string>()
  const world: PaidWorld = {
    folder,
    base,
    tempo,
    facilitator,
    baseNode,
    tempoNode,
    payee,
    env,
    server: await serving(env),
    restart: async () => {
      world.server = await serving(env)
    },
    wallet: async (baseUnits = 10n * PRICE) => {
      const key = generatePrivateKey()
      const account = privateKeyToAccount(key)
      keys.set(account.address, key)
      if (baseUnits > 0n) await base.fund(account.address, baseUnits)
      // On Tempo the fee is paid in the same dollar.
      if (baseUnits > 0n) await tempo.fund(account.address, 100n * baseUnits)
      return account
    },
    keyFile: (wallet) => {
      const path = join(folder, `${wallet}.key`)
      writeFileSync(path, `${keys.get(wallet)}\n`, { mode: 0o600 })
      return path
    },
    income: async () => (await base.balanceOf(payee.address)) + (await tempo.balanceOf(payee.address)),
    stop: async () => {
      await world.server.stop()
      await Promise.all([facilitator.stop(), baseNode.stop(), tempoNode.stop(), real.stop()])
      await Promise.all([base.stop(), tempo.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return world
}

export interface Signing {
  readonly host?: string
  readonly text?: string
  readonly signedAt?: string
}

/** The body of a post, signed by the wallet. */
export async function signedBody(
  wallet: PrivateKeyAccount,
  { host = HOST, text = 'Is the price per call?', signedAt = formatSignedAt(Date.now() * 1000) }: Signing = {},
): Promise<string> {
  const signature = await wallet.signMessage({ message: postMessage({ host, text, signedAt }) })
  return JSON.stringify({ text, wallet: wallet.address, signature, signed_at: signedAt })
}
