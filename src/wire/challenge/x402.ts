import type { Offer } from '../../domain/challenge.ts'
import { dollarDecimals } from '../../domain/money/known-networks.ts'
import { networkKey, networkName, networkOf } from '../../domain/network.ts'
import { amountOf, isBlank, priceOf } from './amount.ts'
import { type Fields, fieldOf, fieldsOf, parseJson, textOfBase64, wordOf } from './json.ts'
import { payeeOf } from './payee.ts'
import { checkScheme, checkSpelling } from './scheme.ts'
import type { Warn } from './warnings.ts'

type Version = 1 | 2

/** An x402 document and where in the answer it stood. */
export interface X402Document {
  readonly place: 'header' | 'body'
  readonly fields: Fields
}

/** `PAYMENT-REQUIRED`: base64 of JSON; base64url and plain JSON are seen too. */
export function x402OfHeader(value: string, warn: Warn): X402Document | undefined {
  const text = value.trim()
  const isPlain = text.startsWith('{')
  const fields = fieldsOf(parseJson(isPlain ? text : (textOfBase64(text) ?? '')))
  if (fields === undefined) {
    warn('malformed')
    return undefined
  }
  if (isPlain || /[-_]/.test(text)) warn('other_encoding')
  return { place: 'header', fields }
}

/** A body is an x402 challenge only if it says so; other bodies of 402 answers are nobody's fault. */
export function x402OfBody(text: string): X402Document | undefined {
  const fields = fieldsOf(parseJson(text))
  const accepts = fieldOf(fields, 'accepts')
  const items: readonly unknown[] = Array.isArray(accepts) ? accepts : []
  const namesPayee = (item: unknown): boolean => fieldOf(fieldsOf(item), 'payTo') !== undefined
  const isX402 = fieldOf(fields, 'x402Version') !== undefined || items.some(namesPayee)
  return fields !== undefined && isX402 ? { place: 'body', fields } : undefined
}

/** As a number, or as text. */
export function statedVersion(value: unknown): Version | undefined {
  if (value === 1 || value === '1') return 1
  return value === 2 || value === '2' ? 2 : undefined
}

/** Version 1 names its networks, version 2 writes them in CAIP-2. */
export const versionOfNetwork = (network: string | null): Version => (network === null || network.includes(':') ? 2 : 1)

/** The stated version; without one, that of the first amount's field, or of its network where it has both. */
function versionOf(fields: Fields, items: readonly unknown[], warn: Warn): Version {
  const stated = fieldOf(fields, 'x402Version')
  const version = statedVersion(stated)
  if (version !== stated || version === undefined)
    warn(typeof stated === 'number' ? 'version_unknown' : 'version_missing')
  if (version !== undefined) return version
  const has = (item: unknown, name: string): boolean => !isBlank(fieldOf(fieldsOf(item), name))
  const telling = items.find((item) => has(item, 'maxAmountRequired') || has(item, 'amount'))
  if (!has(telling, 'maxAmountRequired')) return 2
  return has(telling, 'amount') ? versionOfNetwork(networkOf(fieldOf(fieldsOf(telling), 'network'))) : 1
}

/** Whether the challenge is for the address that was called. Queries are left out: sellers name routes without them. */
function isForeign(resource: unknown, url: string): boolean {
  if (typeof resource !== 'string' || resource === '' || resource === url || !URL.canParse(url)) return false
  if (!URL.canParse(resource, url)) return true
  const [named, called] = [new URL(resource, url), new URL(url)]
  const pathOf = (address: URL): string => address.pathname.replace(/\/$/, '')
  return named.origin !== called.origin || pathOf(named) !== pathOf(called)
}

function networkIn(value: unknown, version: Version, warn: Warn): string | null {
  const written = networkOf(value)
  // A number may be anything, unless it is that of a chain.
  const network = typeof value === 'number' && networkName(written ?? '') === null ? null : written
  if (network === null) warn(value === undefined ? 'missing_field' : 'malformed')
  else if (versionOfNetwork(network) !== version) warn('network_of_other_version')
  else checkSpelling(value, version, warn)
  return network
}

/** The version's own field, or what stands in the other's while that is blank: clients pay by their own. */
function amountFieldOf(fields: Fields, version: Version, warn: Warn): unknown {
  const own = version === 1 ? 'maxAmountRequired' : 'amount'
  const other = version === 1 ? 'amount' : 'maxAmountRequired'
  const value = fieldOf(fields, own)
  if (!isBlank(value) || isBlank(fieldOf(fields, other))) return value
  warn('field_of_other_version')
  return fieldOf(fields, other)
}

/** An offer, and whether its scheme is one that the kits pay. */
interface Read {
  readonly offer: Offer
  readonly isPaid: boolean
}

function offerOf(item: unknown, version: Version, warn: Warn): Read | undefined {
  const fields = fieldsOf(item)
  if (fields === undefined) {
    warn('malformed')
    return undefined
  }
  const network = networkIn(fieldOf(fields, 'network'), version, warn)
  const amount = amountOf(amountFieldOf(fields, version, warn), warn)
  const payee = payeeOf(fieldOf(fields, 'payTo'), network, warn)
  const asset = wordOf(fieldOf(fields, 'asset'))
  if (asset === undefined) warn('missing_field')
  if (network === null && amount === undefined && payee === null) return undefined
  const isPaid = checkScheme(fields, network, warn)
  const decimals = network !== null && asset !== undefined ? dollarDecimals(network, asset) : undefined
  if (asset !== undefined && decimals === undefined) warn('unknown_asset')
  return { offer: { rail: 'x402', network, price: priceOf(amount, decimals), asset: asset ?? null, payee }, isPaid }
}

/** What nobody pays by its scheme has no price beside what is paid on the same network: clients pass it over. */
function withoutUnpaid(read: readonly Read[]): Offer[] {
  const keyOf = ({ network }: Offer): string => String(networkKey(network ?? ''))
  const paidOn = new Set(read.flatMap(({ offer, isPaid }) => (isPaid && offer.price !== null ? [keyOf(offer)] : [])))
  return read.map(({ offer, isPaid }) => (isPaid || !paidOn.has(keyOf(offer)) ? offer : { ...offer, price: null }))
}

/** The offers of one document, each read on its own, at most `most`. */
export function offersOfX402(document: X402Document, url: string, most: number, warn: Warn): Offer[] {
  const accepts = fieldOf(document.fields, 'accepts')
  if (accepts !== undefined && !Array.isArray(accepts)) warn('malformed')
  const items: readonly unknown[] = Array.isArray(accepts) ? accepts : []
  const version = versionOf(document.fields, items, warn)
  if (document.place === 'header' && version === 1) warn('version_1_in_header')
  if (items.length === 0) warn('no_offers')
  if (items.length > most) warn('too_large')
  const read = items.slice(0, most)
  const resource = fieldOf(document.fields, 'resource')
  const resources = [
    fieldOf(fieldsOf(resource), 'url') ?? resource,
    ...read.map((item) => fieldOf(fieldsOf(item), 'resource')),
  ]
  if (resources.some((named) => isForeign(named, url))) warn('resource_differs')
  return withoutUnpaid(read.flatMap((item) => offerOf(item, version, warn) ?? []))
}
