import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Facilitator } from './facilitator.ts'
import { networkOfName, type Offer } from './offer.ts'

const KEEP_US = 600_000_000
const KEEP_SILENCE_US = 30_000_000

/** Who pays a transaction's fee on a network, as the facilitator says; `undefined` when it does not. */
export type FeePayers = (network: string) => Promise<string | undefined>

/** Asks once for everybody who waits, and keeps the answer: it changes when the facilitator changes its keys. */
export function createFeePayers(facilitator: Facilitator, nowUs: () => TimestampUs): FeePayers {
  let kept: { readonly untilUs: TimestampUs; readonly answer: Promise<ReadonlyMap<string, string>> } | undefined
  const ask = async (): Promise<ReadonlyMap<string, string>> => {
    const answer = await facilitator.supported()
    if (!answer.answered) {
      kept = { untilUs: nowUs() + KEEP_SILENCE_US, answer: Promise.resolve(new Map()) }
      return new Map()
    }
    return new Map(
      answer.kinds.flatMap(({ scheme, network, extra }): [string, string][] => {
        const feePayer = extra?.feePayer
        return scheme === 'exact' && typeof feePayer === 'string' ? [[networkOfName(network), feePayer]] : []
      }),
    )
  }
  return async (network) => {
    if (kept === undefined || kept.untilUs < nowUs()) kept = { untilUs: nowUs() + KEEP_US, answer: ask() }
    return (await kept.answer).get(network)
  }
}

/** Offers as they can be paid now: on Solana the facilitator has to name a fee payer first. */
export async function payableNow(offers: readonly Offer[], feePayers: FeePayers): Promise<readonly Offer[]> {
  const each = await Promise.all(
    offers.map(async (offer): Promise<Offer | undefined> => {
      if (offer.kind !== 'solana') return offer
      const feePayer = await feePayers(offer.network)
      return feePayer === undefined ? undefined : { ...offer, extra: { ...offer.extra, feePayer } }
    }),
  )
  return each.filter((offer) => offer !== undefined)
}
