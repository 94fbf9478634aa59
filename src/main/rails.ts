import type { Ledger } from '../acts/posts/ledger.ts'
import type { OnCall } from '../payment/call-outcome.ts'
import { isSet, type PaymentRail, pastOf, type UnsetRail } from '../payment/rail.ts'
import type { MppConfig, X402Config } from '../payment/settings.ts'
import { baseUrlOf } from './base-url.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { configurationProblem } from './settings/configuration-problem.ts'

/** Asks no node and no facilitator. The kit of a rail of which nothing is set is not loaded: both are half of a start. */
export async function createRails(config: Config, onCall?: OnCall): Promise<Ledger['rails']> {
  const { x402, mpp, rpcUrls } = config.payments
  const openX402 = async () => {
    const { createX402Rail } = await import('../payment/x402/rail.ts')
    return createX402Rail({ config: x402, rpcUrls, nowUs, onCall })
  }
  const openMpp = async () => {
    const { createMppRail } = await import('../payment/mpp/rail.ts')
    return createMppRail({ config: mpp, realm: new URL(baseUrlOf(config)).host, rpcUrls, nowUs, onCall })
  }
  const [onX402, onMpp] = await Promise.all([
    untouchedX402(x402, openX402) ?? openX402().then(withDollars),
    untouchedMpp(mpp, openMpp) ?? openMpp(),
  ])
  return { x402: onX402, mpp: onMpp }
}

type Open = () => Promise<PaymentRail | UnsetRail>

/** Every network is set, so the kit misses the dollar of one. */
function withDollars<R extends PaymentRail | UnsetRail>(rail: R): R {
  if (isSet(rail) || !rail.missing.includes('X402_NETWORKS')) return rail
  const detail = 'X402_NETWORKS: expected networks whose dollar is known, or network=asset/decimals/name/version'
  throw configurationProblem(detail, 'correct or unset X402_NETWORKS')
}

const untouchedX402 = ({ payTo, facilitatorUrl, networks }: X402Config, open: Open): UnsetRail | undefined =>
  payTo.length === 0 && facilitatorUrl === undefined && networks.length > 0
    ? { name: 'x402', missing: ['X402_PAY_TO', 'X402_FACILITATOR_URL'], past: async () => pastOf(await open()) }
    : undefined

const untouchedMpp = ({ recipient, currency, rpcUrl, secretKey }: MppConfig, open: Open): UnsetRail | undefined =>
  [recipient, currency, rpcUrl, secretKey].every((value) => value === undefined)
    ? {
        name: 'mpp',
        missing: ['MPP_RECIPIENT', 'MPP_CURRENCY', 'MPP_RPC_URL', 'MPP_SECRET_KEY'],
        past: async () => pastOf(await open()),
      }
    : undefined
