import { z } from 'zod'
import { type AllowHosts, parseHost } from '../../domain/host.ts'
import { formatPrice, parsePrice } from '../../domain/money/price.ts'
import { isListedNetwork, isNetwork } from '../../domain/network.ts'
import { isVantage } from '../../domain/now/vantage.ts'
import { type AddressReading, METHODS, parseAddress, RAILS } from '../../domain/route.ts'
import { parseTimestamp } from '../../domain/time/timestamp.ts'
import { lineFault, unsafeFault } from '../../domain/words/text.ts'
import { readJwk } from '../offers/did.ts'
import { readSignedOffer } from '../offers/read-offers.ts'

/** A value that a function reads, or says by `undefined` that it cannot. */
const read = <S extends z.ZodType, T>(
  schema: S,
  parse: (value: z.output<S>) => T | undefined,
  expected: (value: z.output<S>) => string,
) =>
  schema.transform((value, context): T => {
    const result = parse(value)
    if (result !== undefined) return result
    context.addIssue({ code: 'custom', message: `expected ${expected(value)}` })
    return z.NEVER
  })

const faultless = (fault: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const message = fault(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

export const time = read(z.string(), parseTimestamp, () => 'a UTC time such as 2026-11-14T12:34:56.123456Z')
const MOST_PRICE = formatPrice(Number.MAX_SAFE_INTEGER)
export const price = read(z.string(), parsePrice, (text) =>
  /^[1-9]\d{9,}\.\d{6}$/.test(text) ? `at most ${MOST_PRICE}` : 'a decimal with six fractional digits, or null',
).nullable()
export const network = z.string().refine(isNetwork, 'expected a network name')
export const listedNetwork = z.string().refine(isListedNetwork, 'expected a network name')
export const line = (most: number) => faultless((text) => lineFault(text, most, unsafeFault))
/** As long as any that is taken; counted in bytes, as the log has them. */
const LONGEST_SIGNATURE = 20_000
export const signature = line(LONGEST_SIGNATURE).refine(
  (text) => Buffer.byteLength(JSON.stringify(text)) <= LONGEST_SIGNATURE + 2,
  `longer than ${LONGEST_SIGNATURE} bytes`,
)
export const vantage = z.string().refine(isVantage, 'expected 1 to 32 of a-z, 0-9 and -')
export const text = faultless((value) => unsafeFault(value))
export const whole = (least: number, most: number) => z.int().min(least).max(most)
export const LONGEST_WAIT_MS = 2_147_483_647
/** How many; a safe integer. */
export const count = whole(0, Number.MAX_SAFE_INTEGER)
/** How many, by a word. */
export const tally = z.record(line(100), count)
export const timing = whole(0, LONGEST_WAIT_MS).nullable().default(null)
const DEEPEST_JSON = 100
/** Deeper ones could be read and never written: turning a value back into text recurses. */
export const json = z
  .record(z.string(), z.unknown())
  .refine((value) => !isDeeper(value, DEEPEST_JSON), `nested deeper than ${DEEPEST_JSON} levels`)

function isDeeper(value: unknown, most: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((item): unknown[] => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}

export const challenge = z.strictObject({
  offers: z.array(
    z.strictObject({
      rail: z.enum(RAILS),
      network: z.string().nullable(),
      price,
      asset: z.string().nullable(),
      payee: z.string().nullable(),
    }),
  ),
  warnings: z.array(z.string()),
})

/** Of a write that an operator has hidden. */
export const hidden = z.strictObject({ at: time, reason: line(1000) })
/** Whole base units of an asset. */
export const baseUnits = z.string().regex(/^\d{1,78}$/)
export const httpStatus = whole(100, 999)
export const signedOffer = read(json, readSignedOffer, () => 'a signed offer')
export const publicKey = read(json, readJwk, () => 'a public key')
export const observed = { first_observed: time, last_observed: time }

const MOST_ADDRESSES = 1000
/** Longer ones are read anew each time. */
const LONGEST_REMEMBERED = 2500

/** Records of one route follow each other. */
export function rememberedAddresses(allow: AllowHosts): (url: string) => AddressReading {
  const known = new Map<string, AddressReading>()
  return (url) => {
    const there = known.get(url)
    if (there !== undefined) return there
    const reading = parseAddress(url, allow)
    if (url.length > LONGEST_REMEMBERED) return reading
    if (known.size >= MOST_ADDRESSES) known.clear()
    known.set(url, reading)
    return reading
  }
}

/** What names a host or a route. */
export function addressFields(allow: AllowHosts) {
  const readAddress = rememberedAddresses(allow)
  const url = z.string().transform((value, context) => {
    const reading = readAddress(value)
    if (reading.ok) return reading.address
    context.addIssue({ code: 'custom', message: reading.reason })
    return z.NEVER
  })
  const host = z.string().transform((value, context) => {
    const reading = parseHost(value, allow)
    if (reading.ok) return reading.host
    context.addIssue({ code: 'custom', message: reading.reason })
    return z.NEVER
  })
  return { host, route: { method: z.enum(METHODS), url, rail: z.enum(RAILS) } }
}
