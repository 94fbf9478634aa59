import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decision } from '../../wire/api/decision.ts'
import { events } from '../../wire/api/events.ts'
import { hostView } from '../../wire/api/host.ts'
import { judgement } from '../../wire/api/judgement.ts'
import { listingHistory } from '../../wire/api/listing-history.ts'
import { hosts, probes, reviews, routes, thread } from '../../wire/api/lists.ts'
import { policy } from '../../wire/api/policy.ts'
import { post, postPage } from '../../wire/api/post.ts'
import { reviewPage } from '../../wire/api/review.ts'
import { routePage } from '../../wire/api/route.ts'
import { claim, statementPage, statements } from '../../wire/api/seller.ts'
import { sourcePage, sources } from '../../wire/api/sources.ts'
import { why } from '../../wire/api/why.ts'
import * as readings from './outlines.ts'
import * as sellers from './sellers.ts'

const outlines = { ...readings, ...sellers }

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...{ decision, events, hosts, hostView, judgement, listingHistory, policy, post, postPage, probes, reviewPage },
  ...{ reviews, routePage, routes, sourcePage, sources, thread, why, claim, statementPage, statements },
}
type Schema = z.core.JSONSchema.BaseSchema

/** The least that a schema allows: no optional member, no item, nothing where nothing is allowed. */
function least(schema: Schema, isBare = true): unknown {
  const kinds = [schema.type ?? []].flat()
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const ways = schema.anyOf ?? schema.oneOf
  if (ways !== undefined) {
    const nothing = ways.find((way) => typeof way === 'object' && way.type === 'null')
    const something = ways.find((way) => way !== nothing)
    const chosen = (isBare ? nothing : undefined) ?? something
    return typeof chosen === 'object' ? least(chosen, isBare) : null
  }
  if (isBare && kinds.includes('null')) return null
  if (kinds.includes('object')) return membersOf(schema, isBare)
  if (kinds.includes('array')) return []
  if (kinds.includes('string')) return 'text'
  if (kinds.includes('boolean')) return true
  return kinds.includes('integer') || kinds.includes('number') ? 1 : null
}

const membersOf = ({ properties = {}, required = [] }: Schema, isBare: boolean): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) =>
      required.includes(name) && typeof member === 'object' ? [[name, least(member, isBare)]] : [],
    ),
  )

const pairs = Object.entries(SCHEMAS).map(([name, schema]) => {
  const isDocument = Object.entries(outlines).find(([each]) => each === name)?.[1]
  if (isDocument === undefined) throw new Error(`no outline of ${name}`)
  return { name, isDocument, schema: z.toJSONSchema(schema, { unrepresentable: 'any' }) }
})

describe('the outline of an answer', () => {
  it('is there for every document that the client reads', () => {
    expect(Object.keys(outlines).toSorted()).toEqual(Object.keys(SCHEMAS).toSorted())
  })

  it.each(pairs)('takes the least and the fullest that the schema allows: $name', ({ isDocument, schema }) => {
    expect([isDocument(membersOf(schema, true)), isDocument(membersOf(schema, false))]).toEqual([true, true])
  })

  it.each(pairs)('refuses what lacks a member or has one of another type: $name', ({ isDocument, schema }) => {
    const whole = membersOf(schema, true)
    for (const [name, value] of Object.entries(whole)) {
      const { [name]: _, ...without } = whole
      // What may be nothing may also be missing.
      expect([name, isDocument(without)]).toEqual([name, value === null])
      expect([name, isDocument({ ...whole, [name]: typeof value === 'number' ? 'text' : 402 })]).toEqual([
        name,
        name === 'median_ms',
      ])
    }
  })

  it.each(pairs)('refuses what is no document: $name', ({ isDocument }) => {
    for (const value of [null, undefined, [], 'text', 402, {}]) expect(isDocument(value)).toBe(false)
    fc.assert(
      fc.property(fc.anything(), (value) => !isDocument(value)),
      { numRuns: 50 },
    )
  })
})
