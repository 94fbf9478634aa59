import type { Finding } from '../../cli/doctor.ts'
import { networkKey } from '../../domain/network.ts'
import type { Rail } from '../../domain/route.ts'
import { throughDoor } from '../../payment/door.ts'
import { createNodes } from '../../payment/nodes.ts'
import { createFacilitator, noAnswerWords } from '../../payment/x402/facilitator.ts'
import type { Config } from '../config.ts'
import { DEADLINE_MS, fail, ok, warn } from './finding.ts'

/** What each rail needs. */
export const RAIL_FINDINGS: Readonly<Record<Rail, (config: Config) => Promise<Finding>>> = {
  x402: x402Finding,
  mpp: mppFinding,
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
    const fix = 'check X402_FACILITATOR_URL and X402_FACILITATOR_HEADERS'
    return fail(`the facilitator ${noAnswerWords(answer)}`, fix)
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

export async function nodeFinding({ payments: { rpcUrls } }: Config, network: string): Promise<Finding> {
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
