import { sleep } from '../../async/sleep.ts'
import type { Outcome, Payment, Tell } from '../rail.ts'
import { boundTo, createCharge, type MppDeps } from './charge.ts'
import { heldIn, readCredential } from './credential.ts'
import { outcomeOf, seeOnChain } from './look.ts'
import { unfitOf } from './refusals.ts'

const LOOK_EVERY_MS = 300
const MOST_LOOKS = 10

/**
 * Sends the transaction and asks the chain what became of it: whatever the broadcast answers, only the transfer on
 * chain is a payment. Never rejects.
 */
export async function settlePayment(deps: MppDeps, payment: Payment, tell?: Tell): Promise<Outcome> {
  const signal = AbortSignal.timeout(deps.settleMs)
  const sending = await send(deps, payment, signal)
  tell?.(`the Tempo node ${SENDING_WORDS[sending.kind]}`)
  let sight = await seeOnChain(deps, payment)
  // Sent, and the answer was lost: a block later the chain usually knows.
  for (let looks = 1; sending.kind === 'lost' && sight.kind === 'absent' && looks < MOST_LOOKS; looks++) {
    await sleep(LOOK_EVERY_MS)
    sight = await seeOnChain(deps, payment)
  }
  // Only of a transaction that never left can it be said that it was refused; an earlier attempt may have sent it, so
  // the chain has the last word until it expires.
  if (sending.kind === 'refused' && sight.kind === 'absent') return sending
  return outcomeOf(sight)
}

type Sending = { readonly kind: 'done' | 'lost' | 'stopped' } | Extract<Outcome, { readonly kind: 'refused' }>

const SENDING_WORDS: Readonly<Record<Sending['kind'], string>> = {
  done: 'took the transaction',
  lost: 'was sent the transaction and gave no answer',
  stopped: 'was sent nothing: it does not answer, or the credential is gone',
  refused: 'refused the transaction before it was sent',
}

async function send({ offer, node }: MppDeps, payment: Payment, signal: AbortSignal): Promise<Sending> {
  const stored = heldIn(payment.raw)
  const reading = await readCredential(stored?.authorization)
  if (stored === undefined || reading.kind !== 'pull' || reading.pull.hash !== payment.key) return { kind: 'stopped' }
  let hasLeft = false
  try {
    const client = node.sender(await node.network(), signal, () => {
      hasLeft = true
    })
    const bound = boundTo(stored.host, stored.body)
    await createCharge(offer, client).broadcastCredential(reading.pull.credential, bound)
    return { kind: 'done' }
  } catch (error) {
    if (hasLeft) return { kind: 'lost' }
    const fault = unfitOf(error)
    return fault ? { kind: 'refused', code: fault.code, reason: fault.reason } : { kind: 'stopped' }
  }
}
