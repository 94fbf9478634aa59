import type { AllowHosts } from '../../domain/host.ts'
import { addressOf } from '../../domain/route.ts'
import { recordSchema } from '../../wire/records.ts'
import type { Found } from '../found.ts'
import { Gathering } from '../gathering.ts'
import type { ParseContext } from '../read/context.ts'
import { field, isFields, textOf } from '../read/guards.ts'

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

/** One line of the file with its number, counted from 1. */
export interface NumberedLine {
  readonly number: number
  readonly text: string
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
  const gathering = new Gathering(context)
  const schema = schemaFor(context.allow)
  for (const { number, text } of lines) {
    if (text.trim() === '') continue
    gathering.see()
    const value = parsed(text)
    if (!isFields(value)) {
      gathering.refuse('bad_record', `line ${number}: not a JSON object`)
      continue
    }
    if (field(value, 'kind') !== undefined && field(value, 'kind') !== 'listing') {
      gathering.refuse('not_a_listing', `line ${number}:`, textOf(value, 'kind'))
      continue
    }
    const record = schema.safeParse({ ...IMPLIED, ...value })
    if (!record.success || record.data.kind !== 'listing') {
      const issue = record.error?.issues[0]
      gathering.refuse('bad_record', `line ${number}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
      continue
    }
    const { method, url, rail, price, network, description } = record.data
    const address = addressOf(url.scheme, url.host, url.path)
    const offers = [{ rail, price, network, asset: null, payee: null }]
    gathering.route({ url: address, method, offers, description })
  }
  return gathering.found()
}
