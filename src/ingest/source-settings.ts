import { parseDuration } from '../domain/time/duration.ts'
import { lineFault } from '../domain/words/text.ts'
import { DEFINITIONS, type SourceConfig } from './source.ts'
import type { SourceDefinition } from './source-definition.ts'

/** `name=kind:address`, comma separated; `none` for none. `undefined` when it cannot be read. */
export function parseSources(text: string): readonly SourceConfig[] | undefined {
  if (text === 'none') return []
  const sources = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(parseSource)
  const read = sources.flatMap((source) => source ?? [])
  const names = new Set(read.map(({ name }) => name))
  return read.length === sources.length && names.size === read.length && read.length > 0 ? read : undefined
}

function parseSource(text: string): SourceConfig | undefined {
  const [, name = '', kind = '', address = ''] = /^([^=]+)=([a-z0-9-]+)(?::(.*))?$/.exec(text) ?? []
  const definition = DEFINITIONS.find((each) => each.kind === kind)
  if (definition === undefined || lineFault(name, 100) !== undefined) return undefined
  return MAY_BE_ADDRESS[definition.shape](address) ? { name, kind: definition.kind, address } : undefined
}

const MAY_BE_ADDRESS: Readonly<Record<SourceDefinition['shape'], (address: string) => boolean>> = {
  pages: (address) => /^https?:\/\//.test(address) && URL.canParse(address),
  sellers: (address) => address === '',
  file: (address) => address !== '',
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
