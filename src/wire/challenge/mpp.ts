import type { Offer } from '../../domain/challenge.ts'
import { type NetworkMoney, TEMPO_MAIN, tempoMoney } from '../../domain/money/asset.ts'
import { chainIdIn } from '../../domain/money/chain-id.ts'
import { parseTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import { amountOf, isBlank, priceOf } from './amount.ts'
import { type Fields, fieldOf, fieldsOf, parseJson, textOfBase64, wordOf } from './json.ts'
import { CARD_METHODS, decimalsBy, KNOWN_METHODS, METHODS_OF_CHAINS, networkBy, usdcProfile } from './mpp-methods.ts'
import { payeeOf } from './payee.ts'
import type { Warn } from './warnings.ts'
import { type AuthChallenge, parseWwwAuthenticate } from './www-authenticate.ts'

const REQUIRED = ['id', 'realm', 'method', 'intent', 'request']

/** The `Payment` challenges of one `WWW-Authenticate` line. */
export const paymentChallenges = (line: string): AuthChallenge[] =>
  parseWwwAuthenticate(line).filter((challenge) => challenge.scheme.toLowerCase() === 'payment')

/** `undefined`: no chain is stated; `null`: what is stated is not understood. */
function chainIdOf(details: unknown, warn: Warn): string | null | undefined {
  const fields = fieldsOf(details)
  const isUnread = fields === undefined && details !== undefined && details !== null
  const chainId = isUnread ? null : chainIdIn(fieldOf(fields, 'chainId'))
  if (chainId === null) warn('malformed')
  return chainId
}

/** Where the money goes and how the amount counts, by payment method. */
function moneyOf(method: string, currency: string, details: unknown, warn: Warn): NetworkMoney {
  if (!METHODS_OF_CHAINS.includes(method)) return { network: null, decimals: decimalsBy(method, currency, null) }
  const said = method === 'usdc' ? fieldOf(fieldsOf(details), usdcProfile(details) ?? '') : details
  const family = method === 'usdc' ? (usdcProfile(details) ?? '') : method
  const chainId = chainIdOf(said, warn)
  if (method === 'tempo') return tempoMoney(chainId && `tempo:${chainId}`, currency)
  const network = chainId === null ? null : networkBy(family, chainId, fieldOf(fieldsOf(said), 'network'))
  return { network, decimals: decimalsBy(method, currency, network) }
}

/** Clients read times in no other form. */
const ISO = /^\d{4}-\d\d-\d\dT/

function checkExpiry(expires: string | undefined, nowUs: TimestampUs, warn: Warn): void {
  if (expires === undefined) return
  const atUs = parseTimestamp(expires) ?? Date.parse(expires) * 1000
  if (Number.isNaN(atUs) || !ISO.test(expires)) warn('malformed')
  if (atUs <= nowUs) warn('expired')
}

function requestOf(encoded: string | undefined, warn: Warn): Fields | undefined {
  if (encoded === undefined) return undefined
  const fields = fieldsOf(parseJson(textOfBase64(encoded) ?? ''))
  if (fields === undefined) warn('malformed')
  else if (!/^[A-Za-z0-9_-]+$/.test(encoded)) warn('other_encoding')
  return fields
}

/** Somebody with whom the payee of an offer shares. */
export type Sharer = Pick<Offer, 'network' | 'asset'> & { readonly payee: string }

/** What one `Payment` challenge offers; `undefined` when its request cannot be read. Those who share in it are told. */
export function offerOfMpp(
  challenge: AuthChallenge,
  nowUs: TimestampUs,
  warn: Warn,
  share: (sharer: Sharer) => void,
): Offer | undefined {
  const { params } = challenge
  if (challenge.isMalformed) warn('malformed')
  if (REQUIRED.some((name) => isBlank(params.get(name)))) warn('missing_field')
  checkExpiry(params.get('expires'), nowUs, warn)
  const request = requestOf(params.get('request'), warn)
  if (request === undefined) return undefined
  const written = params.get('method') ?? ''
  const method = written.toLowerCase()
  // Clients refuse a method in capitals.
  if (method !== written) warn('malformed')
  if (!KNOWN_METHODS.includes(method)) return otherOffer(request, warn)
  const offer = ofIntent(params.get('intent'), knownOffer(method, request, warn), warn)
  for (const payee of sharersIn(request, method === 'tempo' ? TEMPO_MAIN : offer.network, warn)) {
    share({ network: offer.network, asset: offer.asset, payee })
  }
  return offer
}

/** What is paid once, or in parts of a deposit: as the guard has it. */
const PRICED = ['charge', 'session']

/** Of another intent, such as a subscription, nobody knows what it comes to. */
function ofIntent(intent: string | undefined, offer: Offer, warn: Warn): Offer {
  if (isBlank(intent) || PRICED.includes(intent ?? '')) return offer
  warn('unknown_intent')
  return { ...offer, price: null }
}

/** The kit takes no more. */
const MOST_SHARERS = 10

function sharersIn(request: Fields, network: string | null, warn: Warn): string[] {
  const splits = fieldOf(fieldsOf(fieldOf(request, 'methodDetails')), 'splits')
  if (splits === undefined) return []
  if (!Array.isArray(splits) || splits.length > MOST_SHARERS) {
    warn('malformed')
    return []
  }
  return splits.flatMap((split) => payeeOf(fieldOf(fieldsOf(split), 'recipient'), network, warn) ?? [])
}

function knownOffer(method: string, request: Fields, warn: Warn): Offer {
  const asset = wordOf(fieldOf(request, 'currency')) ?? null
  const amount = amountOf(fieldOf(request, 'amount'), warn)
  const { network, decimals } = moneyOf(method, asset ?? '', fieldOf(request, 'methodDetails'), warn)
  if (asset === null) warn('missing_field')
  else if (decimals === undefined) warn('unknown_asset')
  const recipient = fieldOf(request, 'recipient')
  // Where cards pay, the seller's account is behind the processor and need not be named.
  const isUnnamed = recipient === undefined && CARD_METHODS.includes(method)
  const payee = isUnnamed ? null : payeeOf(recipient, method === 'tempo' ? TEMPO_MAIN : network, warn)
  return { rail: 'mpp', network, price: priceOf(amount, decimals), asset, payee }
}

/** Methods that are not known here have fields of their own: nothing of theirs is missing or has a price. */
function otherOffer(request: Fields, warn: Warn): Offer {
  warn('unknown_method')
  const asset = wordOf(fieldOf(request, 'currency')) ?? null
  const payee = wordOf(fieldOf(request, 'recipient')) ?? null
  return { rail: 'mpp', network: null, price: null, asset, payee }
}
