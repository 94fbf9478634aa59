import { parseDuration } from '../domain/time/duration.ts'
import { lineFault } from '../domain/words/text.ts'
import { DEFINITIONS, type SourceConfig } from './source.ts'
import type { SourceDefinition } from './source-definition.ts'

/** `name=kind:address`, comma separated; `none` for none. `undefined` when it cannot be read. */
export function parseSources(text: string): readonly SourceConfig[] | undefined {
  if (text === 'none') return []
  const entries = readEntries(text)
  const sources = entries.filter((entry) => typeof entry !== 'string')
  return sources.length === entries.length && sources.length > 0 ? sources : undefined
}

/** What is wrong with the first entry that cannot be read. No address is repeated: some hold a key. */
export const faultOfSources = (text: string): string | undefined =>
  readEntries(text).find((entry) => typeof entry === 'string')

/** Each as it is read, or what is wrong with it. */
function readEntries(text: string): readonly (SourceConfig | string)[] {
  const entries = text.split(',').map((entry) => entry.trim())
  const places = new Map<string, number>()
  return entries
    .filter((entry) => entry !== '')
    .map((entry, index) => {
      const source = parseSource(entry)
      const at = `entry ${index + 1}`
      if ('fault' in source) return `${at}${source.name === undefined ? '' : ` (${source.name})`}: ${source.fault}`
      const earlier = places.get(source.name)
      places.set(source.name, index + 1)
      return earlier === undefined ? source : `${at} (${source.name}): entry ${earlier} has that name`
    })
}

interface Unread {
  /** Where it is told from the rest. */
  readonly name?: string
  readonly fault: string
}

function parseSource(text: string): SourceConfig | Unread {
  const [, name = '', kind = '', address = ''] = /^([^=]+)=([a-z0-9-]+)(?::(.*))?$/.exec(text) ?? []
  if (kind === '') return { fault: 'not of the form name=kind:address' }
  if (lineFault(name, 100) !== undefined) return { fault: 'a name is a line of at most 100 characters' }
  const definition = DEFINITIONS.find((each) => each.kind === kind)
  if (definition === undefined) return { name, fault: 'none of these kinds' }
  if (MAY_BE_ADDRESS[definition.shape](address)) return { name, kind: definition.kind, address }
  return { name, fault: `${definition.kind} takes ${TAKEN_ADDRESS[definition.shape]}` }
}

const MAY_BE_ADDRESS: Readonly<Record<SourceDefinition['shape'], (address: string) => boolean>> = {
  pages: (address) => /^https?:\/\//.test(address) && URL.canParse(address),
  sellers: (address) => address === '',
  file: (address) => address !== '',
}

const TAKEN_ADDRESS: Readonly<Record<SourceDefinition['shape'], string>> = {
  pages: 'an http or https address',
  sellers: 'no address',
  file: 'the path of a file',
}

/** How often each source is swept. */
export interface SweepIntervals {
  readonly usualMs: number
  readonly ofSource: ReadonlyMap<string, number>
}

/** `1h,openapi=24h`: a usual interval, then those of single sources, each once. */
export function parseIntervals(text: string): SweepIntervals | undefined {
  const ofSource = new Map<string, number>()
  let usualMs: number | undefined
  for (const item of text.split(',').map((part) => part.trim())) {
    const [, name, duration = ''] = /^(?:([^=]+)=)?([^=]+)$/.exec(item) ?? []
    const ms = parseDuration(duration)
    if (ms === undefined) return undefined
    if (name === undefined ? usualMs !== undefined : ofSource.has(name)) return undefined
    if (name === undefined) usualMs = ms
    else ofSource.set(name, ms)
  }
  return usualMs === undefined ? undefined : { usualMs, ofSource }
}

export const intervalOf = ({ usualMs, ofSource }: SweepIntervals, source: string): number =>
  ofSource.get(source) ?? usualMs
