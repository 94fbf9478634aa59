import { parseDuration } from '../domain/duration.ts'
import { lineFault } from '../domain/text.ts'
import { SOURCE_KINDS, type SourceConfig, type SourceKind } from './source.ts'

const OWN_DOCUMENTS: readonly SourceKind[] = ['openapi', 'well-known']

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
  const known = SOURCE_KINDS.find((each) => each === kind)
  if (known === undefined || lineFault(name, 100) !== undefined) return undefined
  if (OWN_DOCUMENTS.includes(known)) return address === '' ? { name, kind: known, address } : undefined
  if (known === 'file') return address === '' ? undefined : { name, kind: known, address }
  return /^https?:\/\//.test(address) && URL.canParse(address) ? { name, kind: known, address } : undefined
}

/** How often each source is swept. */
export interface SweepIntervals {
  readonly usualMs: number
  readonly ofSource: ReadonlyMap<string, number>
}

/** `1h,openapi=24h`: a usual interval, then those of single sources. */
export function parseIntervals(text: string): SweepIntervals | undefined {
  const ofSource = new Map<string, number>()
  let usualMs: number | undefined
  for (const item of text.split(',').map((part) => part.trim())) {
    const [, name, duration = ''] = /^(?:([^=]+)=)?([^=]+)$/.exec(item) ?? []
    const ms = parseDuration(duration)
    if (ms === undefined) return undefined
    if (name !== undefined) ofSource.set(name, ms)
    else if (usualMs === undefined) usualMs = ms
    else return undefined
  }
  return usualMs === undefined ? undefined : { usualMs, ofSource }
}

export const intervalOf = ({ usualMs, ofSource }: SweepIntervals, source: string): number =>
  ofSource.get(source) ?? usualMs
