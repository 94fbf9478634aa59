import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, Payment } from '../rail.ts'
import { boundTo, type ChargeSettings, openCharge } from './charge.ts'
import { readCredential } from './credential.ts'
import { held } from './held.ts'
import { type Sight, seeOnChain } from './look.ts'
import type { TempoNode } from './node.ts'
import { unfitOf } from './problem-types.ts'

export interface SettleParts {
  readonly charge: ChargeSettings
  readonly node: TempoNode
  readonly settleMs: number
}

const LOOK_EVERY_MS = 300
const MOST_LOOKS = 10

export function outcomeOf(sight: Sight): Outcome {
  if (sight.kind === 'absent') return { kind: 'unknown', reason: 'The transaction is not on chain yet.' }
  if (sight.kind === 'blind') return { kind: 'unknown', reason: 'The Tempo node of this directory does not answer.' }
  return sight
}

/**
 * Sends the transaction and asks the chain what became of it: whatever the broadcast answers, only the transfer on
 * chain is a payment. Never rejects.
 */
export async function settleOn(parts: SettleParts, payment: Payment): Promise<Outcome> {
  const signal = AbortSignal.timeout(parts.settleMs)
  const sending = await send(parts, payment, signal)
  let sight = await seeOnChain(parts.node, payment)
  // Sent, and the answer was lost: a block later the chain usually knows.
  for (let looks = 1; sending.kind === 'lost' && sight.kind === 'absent' && looks < MOST_LOOKS; looks++) {
    await sleep(LOOK_EVERY_MS)
    sight = await seeOnChain(parts.node, payment)
  }
  // Only of a transaction that never left can it be said that it was refused; an earlier attempt may have sent it, so
  // the chain has the last word until it expires.
  if (sending.kind === 'refused' && sight.kind === 'absent') return sending
  return outcomeOf(sight)
}

type Sending = { readonly kind: 'done' | 'lost' | 'stopped' } | Extract<Outcome, { readonly kind: 'refused' }>

async function send({ charge, node }: SettleParts, payment: Payment, signal: AbortSignal): Promise<Sending> {
  const stored = held(payment.raw ?? '')
  const reading = await readCredential(stored?.authorization)
  if (stored === undefined || reading.kind !== 'pull' || reading.pull.hash !== payment.key) return { kind: 'stopped' }
  let hasLeft = false
  try {
    const client = node.sender(await node.network(), signal, () => {
      hasLeft = true
    })
    const bound = boundTo(stored.host, stored.body)
    await openCharge(charge, client).broadcastCredential(reading.pull.credential, bound)
    return { kind: 'done' }
  } catch (error) {
    if (hasLeft) return { kind: 'lost' }
    const fault = unfitOf(error)
    return fault ? { kind: 'refused', code: fault.code, reason: fault.reason } : { kind: 'stopped' }
  }
}
