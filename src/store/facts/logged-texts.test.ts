import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aListing, aRoute } from '../../../test/support/samples.ts'
import { sha256Hex } from '../../domain/keys.ts'
import { DIRECTORY_OBSERVED } from '../../domain/listing.ts'
import { formatPrice } from '../../domain/money/price.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { canonical } from '../../wire/log/canonical.ts'
import { listingText } from './listing-record.ts'
import { payeeText } from './payees.ts'

const words = fc.string({ unit: 'grapheme' })
const orNull = <T>(made: fc.Arbitrary<T>) => fc.option(made, { nil: null })
const us = fc.integer({ min: 0, max: 4_000_000_000_000_000 })

describe('what the log says of facts', () => {
  it('is canonical JSON of a listing, whatever it holds', () => {
    const listings = fc.record({
      ...{ path: words, source: words, price: orNull(fc.maxSafeNat()), network: orNull(words) },
      ...{ firstUs: us, lastUs: us, goneUs: fc.option(us, { nil: undefined }) },
      isOneOfSeveral: fc.constantFrom(undefined, true as const),
      description: fc.option(orNull(words), { nil: undefined }),
    })
    fc.assert(
      fc.property(listings, (given) => {
        const { host, method, rail, scheme } = aListing()
        const { price, description, goneUs } = given
        const text = listingText(aListing(given))
        expect(text).toBe(
          canonical({
            ...{ kind: 'listing', label: DIRECTORY_OBSERVED, source: given.source, method, rail },
            ...{ url: `${scheme}://${host}${given.path}`, network: given.network },
            price: price === null ? null : formatPrice(price),
            first_observed: formatTimestamp(given.firstUs),
            last_observed: formatTimestamp(given.lastUs),
            no_longer_named_since: goneUs === undefined ? undefined : formatTimestamp(goneUs),
            one_of_several: given.isOneOfSeveral,
            description_sha256: typeof description === 'string' ? sha256Hex(description) : undefined,
          }),
        )
      }),
    )
  })

  it('is canonical JSON of a payee, whatever it holds', () => {
    const payees = fc.record({
      ...{ path: words, network: words, payee: words, asset: orNull(words), firstUs: us, lastUs: us },
      origin: fc.constantFrom('listing' as const, 'challenge' as const),
    })
    fc.assert(
      fc.property(payees, ({ path, firstUs, lastUs, ...given }) => {
        const { at: _, ...route } = { ...aRoute(), path }
        const { host, method, rail, scheme } = route
        expect(payeeText({ ...route, ...given, firstUs, lastUs })).toBe(
          canonical({
            ...{ kind: 'payee', method, rail, url: `${scheme}://${host}${path}` },
            ...{ network: given.network, payee: given.payee, origin: given.origin, asset: given.asset || null },
            first_observed: formatTimestamp(firstUs),
            last_observed: formatTimestamp(lastUs),
          }),
        )
      }),
    )
  })
})
