import type { AllowHosts } from '../../domain/host.ts'
import { addressOf } from '../../domain/route.ts'
import { recordSchema } from '../../wire/records.ts'
import type { Found } from '../found.ts'
import { ListingCollector } from '../listing-collector.ts'
import type { NumberedLine, ParseContext } from '../read/context.ts'
import { field, isFields, isGarbled, textOf } from '../read/guards.ts'
import type { FileDefinition } from '../source-definition.ts'

/**
 * What an operator may leave out of a line: the configured name is the source and the sweep's clock gives the times,
 * so whatever stands in these fields is checked for its form and not used.
 */
const IMPLIED = {
  kind: 'listing',
  source: 'file',
  label: 'directory-observed',
  price: null,
  network: null,
  first_observed: '1970-01-01T00:00:00Z',
  last_observed: '1970-01-01T00:00:00Z',
}

/** Building the schema costs more than reading a line with it; one operator has one allow list. */
const SCHEMAS = new WeakMap<AllowHosts, ReturnType<typeof recordSchema>>()

function schemaFor(allow: AllowHosts): ReturnType<typeof recordSchema> {
  const schema = SCHEMAS.get(allow) ?? recordSchema(allow)
  SCHEMAS.set(allow, schema)
  return schema
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The operator's own listings: NDJSON records of kind `listing`. Every bad line is refused with its number. */
export function parseFile(lines: Iterable<NumberedLine>, context: ParseContext): Found {
  const collector = new ListingCollector(context)
  const schema = schemaFor(context.allow)
  for (const { number, text } of lines) {
    if (text.trim() === '') continue
    collector.see()
    // Editors of some systems begin a file with a byte order mark.
    const value = parsed(number === 1 ? text.replace(/^\uFEFF/, '') : text)
    if (!isFields(value)) {
      collector.refuse('bad_record', `line ${number}: not a JSON object`)
      continue
    }
    if (field(value, 'kind') !== undefined && field(value, 'kind') !== 'listing') {
      collector.refuse('not_a_listing', `line ${number}:`, textOf(value, 'kind'), textOf(value, 'url'))
      continue
    }
    const record = schema.safeParse({ ...IMPLIED, ...value })
    if (!record.success || record.data.kind !== 'listing') {
      const issue = record.error?.issues[0]
      const fault = `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`
      // Its address, so that whoever misses the route finds the line.
      collector.refuse('bad_record', `line ${number}: ${fault}:`, textOf(value, 'url'))
      continue
    }
    const { method, url, rail, price, network, description } = record.data
    const address = addressOf(url.scheme, url.host, url.path)
    if (isGarbled(address)) {
      collector.refuse('bad_record', `line ${number}: bytes that are no UTF-8:`, address)
      continue
    }
    const offers = [{ rail, price, network, asset: null, payee: null }]
    collector.route({ url: address, method, offers, description })
  }
  return collector.found()
}

export const file = {
  kind: 'file',
  shape: 'file',
  about: "the operator's own NDJSON, one `listing` record a line",
  address: 'the file',
  words: '`description` of the record: already one clean line of at most 500 characters, else the line is refused',
  defaults: [],
  parse: parseFile,
} as const satisfies FileDefinition
