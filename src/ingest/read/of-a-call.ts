import { type Fields, fieldWords, isFields } from './guards.ts'
import { baseUnits } from './money.ts'

/** Dollars, a call, or what one call buys. A call may have any number of all else, and is one of any number in a month. */
const OF_A_CALL = new Set(
  'usd usdc us dollar dollars per each a one 1 api http x402 tool call calls request requests req query queries invocation execution run lookup search use hit response'.split(
    ' ',
  ),
)
/** What is paid once for many calls, or before them. */
const LASTING =
  /^(?:month|monthly|mo|year|yearly|yr|annual|annually|quarter|quarterly|week|weekly|subscription|subscribe|recurring|membership|prepaid|prepay|deposit|topup|credits?)$/
const OF_TIME = /^(?:month|monthly|mo|year|yearly|yr|annual|annually|quarter|quarterly|week|weekly)$/

type Check = (said: unknown) => boolean

const saysOne: Check = (said) =>
  typeof said === 'number'
    ? said === 1
    : typeof said !== 'string' || fieldWords(said).every((word) => OF_A_CALL.has(word))

const namesOne: Check = (model) => {
  const words = typeof model === 'string' ? fieldWords(model) : []
  const per = words.indexOf('per')
  return per === -1 ? !words.some((word) => LASTING.test(word)) : saysOne(words.slice(per).join(' '))
}

const namesNoTime: Check = (said) => typeof said !== 'string' || !fieldWords(said).some((word) => OF_TIME.test(word))

const isNotMany: Check = (said) => (baseUnits(said) ?? 1n) === 1n

const isOnce: Check = (said) => said !== true && !isFields(said)

const isNotTrue: Check = (said) => said !== true

const NO_PLAN = /^(?:free|payg|pay[\s_-].*|per[\s_-].*|usage.*|metered|default|standard|basic|x402|mpp)$/i

/** A named plan has a price of its own, which is not that of a call. */
const isNoPlan: Check = (said) => typeof said !== 'string' || NO_PLAN.test(said.trim())

const asked = (check: Check, names: string): [string, Check][] => names.split(' ').map((name) => [name, check])

/** By the fields that say what an amount is of, or for. Maps, because a field may be named `constructor`. */
const BESIDE = new Map([
  ...asked(saysOne, 'per unit unitType unit_type perUnit per_unit priceUnit price_unit priceUnits price_units'),
  ...asked(saysOne, 'amountUnit amount_unit'),
  // These may say so in other words, too: `pay-per-call`, `per_token`, `monthly`.
  ...asked(namesOne, 'model pricingModel pricing_model pricingType pricing_type billing billingModel billing_model'),
  ...asked(namesOne, 'mode type plan intent billingPeriod billing_period billingCycle billing_cycle'),
  ...asked(namesOne, 'billingInterval billing_interval'),
  ...asked(isOnce, 'recurring'),
  ...asked(isNotTrue, 'subscription'),
])
/**
 * Beside a price these may be of what is sold, or what else it costs: `units: "metric"`, `frequency: "monthly"`, `credits: 2`.
 * What one call buys may last: `{ path: "/subscribe", price_usd: 19, interval: "month" }` asks for 19 dollars.
 */
const INSIDE = new Map([
  ...BESIDE,
  ...asked(saysOne, 'units'),
  ...asked(namesNoTime, 'interval period frequency cycle every'),
  ...asked(isNotMany, 'credits calls requests queries quantity pack bundle'),
  ...asked(isNoPlan, 'plan'),
])

/**
 * Whether nothing that stands in a place says that its price is one of many calls, of a part of one, or of a time. `isInside`: the
 * place is a price, or the terms of payment.
 */
export function isOfACall(place: Fields, isInside = false): boolean {
  const checks = isInside ? INSIDE : BESIDE
  return Object.keys(place).every((name) => checks.get(name)?.(place[name]) ?? true)
}
