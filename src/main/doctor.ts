import { statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Check, Finding } from '../cli/doctor.ts'
import { networkKey } from '../domain/network.ts'
import { Problem } from '../domain/problem.ts'
import { RAILS, type Rail } from '../domain/route.ts'
import { sourceOf } from '../ingest/source.ts'
import { throughDoor } from '../payment/door.ts'
import { createNodes } from '../payment/nodes.ts'
import { createFacilitator } from '../payment/x402/facilitator.ts'
import type { Egress } from '../probe/egress.ts'
import { openStore } from '../store/open.ts'
import { baseUrlOf } from './base-url.ts'
import type { Config } from './config.ts'
import { egressOf } from './egress.ts'

const DEADLINE_MS = 10_000
const LEAST_FREE_BYTES = 1024 ** 3
const MOST_CLOCK_MS = 30_000

const ok = (what: string): Finding => ({ state: 'ok', what })
const warn = (what: string, fix: string): Finding => ({ state: 'warn', what, fix })
const fail = (what: string, fix: string): Finding => ({ state: 'fail', what, fix })

/** Everything that can be looked at from here. */
export function checksOf(config: Config): readonly Check[] {
  const egress = egressOf(config, baseUrlOf(config))
  return [
    { name: 'configuration', run: async () => addressFinding(config) },
    { name: 'database', run: () => databaseFinding(config) },
    ...(config.databaseUrl === undefined ? [{ name: 'disk', run: () => diskFinding(config.dataDir) }] : []),
    { name: 'signatures', run: async () => signatureFinding() },
    ...RAILS.map((rail) => ({ name: rail, run: () => RAIL_FINDINGS[rail](config) })),
    ...[...config.payments.rpcUrls.keys()].map((network) => ({
      name: `node ${network}`,
      run: () => nodeFinding(config, network),
    })),
    ...config.sources
      .map((source) => ({ source, reader: sourceOf(source) }))
      .flatMap(({ source, reader }) =>
        reader.shape === 'pages'
          ? [{ name: `source ${source.name}`, run: () => sourceFinding(egress, reader.pageUrl(0)) }]
          : [],
      ),
    { name: 'clock', run: () => clockFinding(egress, config) },
  ]
}

function addressFinding({ baseUrl }: Config): Finding {
  if (baseUrl === undefined) return warn('BASE_URL is not set', 'set BASE_URL to the address that others use')
  return baseUrl.startsWith('https://')
    ? ok(baseUrl)
    : warn(`${baseUrl} is not https`, 'put a reverse proxy with a certificate in front')
}

async function databaseFinding(config: Config): Promise<Finding> {
  try {
    const store = await openStore(config)
    try {
      await store.write(async (writer) => {
        await writer.selectFrom('schema_version').select('version').executeTakeFirst()
      })
      return ok(config.databaseUrl === undefined ? `SQLite in ${config.dataDir}` : 'Postgres of DATABASE_URL')
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof Problem) return fail(error.detail, error.hint)
    return fail('the database takes no transaction', 'look at the log of the database server')
  }
}

async function diskFinding(dataDir: string): Promise<Finding> {
  const found = await statfs(dataDir).catch(() => undefined)
  if (found === undefined) return fail(`there is no folder ${dataDir}`, 'set DATA_DIR to a folder this user can write')
  const free = found.bavail * found.bsize
  const gigabytes = `${(free / 1024 ** 3).toFixed(1)} GiB free`
  return free >= LEAST_FREE_BYTES ? ok(gigabytes) : warn(gigabytes, 'make room: the store stops when the disk is full')
}

/** secp256k1 has no native part for some platforms and then does the same in JavaScript, without a word. */
function signatureFinding(): Finding {
  try {
    createRequire(import.meta.url)('secp256k1/bindings.js')
    return ok('checked by native code')
  } catch {
    return warn('checked in JavaScript, some twenty times as slow', 'run npm explore secp256k1 -- npm run install')
  }
}

async function x402Finding({ payments: { x402, rpcUrls } }: Config): Promise<Finding> {
  const missing = [
    ...(x402.payTo.length === 0 ? ['X402_PAY_TO'] : []),
    ...(x402.facilitatorUrl === undefined ? ['X402_FACILITATOR_URL'] : []),
  ]
  if (missing.length > 0) return warn('posts through x402 are off', `set ${missing.join(' and ')}`)
  const answer = await createFacilitator({
    url: x402.facilitatorUrl ?? '',
    headers: x402.facilitatorHeaders,
    fetch: throughDoor,
    deadlines: { supportedMs: DEADLINE_MS, verifyMs: 0, settleMs: 0 },
  }).supported()
  if (!answer.answered) {
    return fail('the facilitator does not answer', 'check X402_FACILITATOR_URL and X402_FACILITATOR_HEADERS')
  }
  // Kits list every network of version 1 whether or not they settle on it.
  const kinds = answer.kinds.filter(({ x402Version }) => x402Version === 2)
  const supported = kinds.map(({ network }) => networkKey(network))
  const networks = x402.networks.map(({ network }) => network)
  const unknown = networks.filter((network) => !supported.includes(network))
  if (unknown.length > 0) {
    return fail(`the facilitator does not settle on ${unknown.join(', ')}`, 'change X402_NETWORKS or the facilitator')
  }
  const blind = networks.filter((network) => !rpcUrls.has(network))
  return blind.length === 0
    ? ok(`posts are paid on ${networks.join(', ')}`)
    : warn(`no node for ${blind.join(', ')}: the facilitator is believed`, 'add it to RPC_URLS')
}

const RAIL_FINDINGS: Readonly<Record<Rail, (config: Config) => Promise<Finding>>> = {
  x402: x402Finding,
  mpp: mppFinding,
}

async function mppFinding({ payments: { mpp } }: Config): Promise<Finding> {
  const { recipient, currency, rpcUrl, secretKey } = mpp
  const named = { MPP_RECIPIENT: recipient, MPP_CURRENCY: currency, MPP_RPC_URL: rpcUrl, MPP_SECRET_KEY: secretKey }
  const missing = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (rpcUrl === undefined || missing.length > 0) return warn('posts through mpp are off', `set ${missing.join(', ')}`)
  const chainId = await createNodes(new Map([['tempo:1', rpcUrl]]))
    .evm('tempo:1')
    ?.client.getChainId()
    .catch(() => undefined)
  return chainId === undefined
    ? fail('the Tempo node does not answer', 'check MPP_RPC_URL')
    : ok(`posts are paid on tempo:${chainId}`)
}

async function nodeFinding({ payments: { rpcUrls } }: Config, network: string): Promise<Finding> {
  const nodes = createNodes(rpcUrls)
  const evm = nodes.evm(network)
  const fix = `check the address of ${network} in RPC_URLS`
  try {
    if (evm !== undefined) {
      const chainId = await evm.client.getChainId()
      return chainId === evm.chainId ? ok('answers') : fail(`it is the node of chain ${chainId}`, fix)
    }
    const solana = nodes.solana(network)
    if (solana === undefined) return fail('no payments can be checked on such a network', 'remove it from RPC_URLS')
    await solana.call('getHealth', [])
    return ok('answers')
  } catch {
    return fail('the node does not answer', fix)
  }
}

async function sourceFinding(egress: Egress, url: string): Promise<Finding> {
  const answer = await egress.fetch({ method: 'GET', url, deadlineMs: DEADLINE_MS, maxBodyBytes: 4096 })
  const fix = 'nothing, when it passes; otherwise leave the source out of SOURCES'
  if (!answer.ok) return warn(`does not answer: ${answer.error}`, fix)
  return answer.status === 200 ? ok('answers') : warn(`answers HTTP ${answer.status}`, fix)
}

/** Signatures count for ten minutes: a clock that is far off refuses all of them. */
async function clockFinding(egress: Egress, { probing }: Config): Promise<Finding> {
  for (const url of probing.checkAddresses) {
    const answer = await egress.fetch({ method: 'GET', url, deadlineMs: DEADLINE_MS, maxBodyBytes: 1024 })
    const date = answer.ok ? answer.headers.find(([name]) => name.toLowerCase() === 'date')?.[1] : undefined
    const offMs = Math.abs(Date.parse(date ?? '') - Date.now())
    if (Number.isNaN(offMs)) continue
    const seconds = `${Math.round(offMs / 1000)} s from others' clocks`
    return offMs <= MOST_CLOCK_MS ? ok(seconds) : fail(seconds, 'set the clock, for example with an NTP service')
  }
  return warn('nobody to compare with', 'set PROBE_CHECK to addresses that are always there')
}
