import type { Seeded } from '../../test/crash/seeded.ts'
import { picked } from './picked.ts'

/** One way to show something else than what is so: what becomes of an answer. */
export interface Tampering {
  readonly kind: string
  /** What was done; empty while nothing was. */
  readonly what: string
  answer(path: string, bytes: Buffer): Buffer
}

/** Members of pages that follow from the log, and what else they could say. */
const MEMBERS: readonly (readonly [member: RegExp, into: string])[] = [
  [/"machine_evidence_rows":(\d+)/, '"machine_evidence_rows":1$1'],
  [/"agent_reviews":(\d+)/, '"agent_reviews":1$1'],
  [/"routes":(\d+)/, '"routes":1$1'],
  [/"summary":"/, '"summary":"1'],
  [/"latency_line":"Latency: /, '"latency_line":"Latency: 1'],
  [/"reviews_by_level":\{"verified_buyer":(\d+)/, '"reviews_by_level":{"verified_buyer":1$1'],
  [/"http_status":402,"latency_ms"/, '"http_status":200,"latency_ms"'],
  [/("http_status":\d+,"latency_ms":)(\d+)/, '$11$2'],
  [/"first_observed":"2026/, '"first_observed":"2025'],
  [/"last_observed":"2026/, '"last_observed":"2025'],
  [/"rating":(\d),"untrusted"/, '"rating":1$1,"untrusted"'],
  [/"level":"Signed","level_reason"/, '"level":"Verified buyer","level_reason"'],
  [/"date":"2026-11-14/, '"date":"2026-10-14'],
  [/"text":"(Review|Does|Write)/, '"text":"Not $1'],
  [/"posted_at":"2026/, '"posted_at":"2025'],
  [/"submitted_at":"2026/, '"submitted_at":"2025'],
  [/"claimed_at":"2026/, '"claimed_at":"2025'],
  [/"first_seen":"2026-11-14/, '"first_seen":"2026-10-14'],
  [/"payer":"0x1/, '"payer":"0x2'],
  [/"about":"/, '"about":"x'],
  [/"index":(\d+)/, '"index":9$1'],
]

/** Lists whose items are all of the log. */
const LISTS = ['routes', 'probes', 'reviews', 'posts', 'statements']

/** Items that stand for themselves: what is added to them is another one. */
const OTHER: Readonly<Record<string, string>> = {
  routes: 'path',
  probes: 'date',
  reviews: 'id',
  posts: 'id',
  statements: 'id',
}

const isPage = (path: string): boolean => path.startsWith('/v1/hosts/') || path.startsWith('/v1/thread/')

/** The list of a page itself, not one that is part of something else on it. */
const listAt = (path: string): string | undefined =>
  /\/(routes|probes|reviews|statements)\?/.exec(path)?.[1] ?? (path.startsWith('/v1/thread/') ? 'posts' : undefined)

function tampering(
  kind: string,
  change: (path: string, bytes: Buffer) => readonly [what: string, bytes: Buffer] | null,
) {
  let what = ''
  return {
    kind,
    get what() {
      return what
    },
    answer: (path: string, bytes: Buffer): Buffer => {
      const changed = change(path, bytes)
      if (changed === null) return bytes
      what = changed[0]
      return changed[1]
    },
  }
}

/** Turns one bit of whatever is served of the log under such paths. */
function turned(random: Seeded, kind: string, paths: RegExp): Tampering {
  const place = random.between(0, 1_000_000)
  return tampering(kind, (path, bytes) => {
    if (!paths.test(path) || bytes.length === 0) return null
    const at = place % bytes.length
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ (1 << (place % 8))
    return [`${path}, byte ${at}`, changed]
  })
}

function member(random: Seeded): Tampering {
  const [pattern, into] = picked(random, MEMBERS)
  return tampering('pages: a member changed', (path, bytes) => {
    const text = bytes.toString()
    if (!isPage(path) || !pattern.test(text)) return null
    return [`${path}: ${pattern.source}`, Buffer.from(text.replace(pattern, into))]
  })
}

/** An item of a list goes, or comes. */
function item(random: Seeded): Tampering {
  const name = picked(random, LISTS)
  const place = random.between(0, 1_000_000)
  const isDropped = random.between(0, 1) === 0
  return tampering(isDropped ? 'pages: an item dropped' : 'pages: an item inserted', (path, bytes) => {
    if (listAt(path) !== name) return null
    const page = JSON.parse(bytes.toString())
    const items: unknown[] = page[name] ?? []
    if (items.length === 0) return null
    const at = place % items.length
    const own = OTHER[name] ?? 'id'
    const copy = Object.assign({}, items[at], {
      [own]: own === 'date' ? '2026-11-14T00:00:00.000000Z' : '/other',
      address: 'https://h0.seller.example/other',
    })
    const changed = isDropped ? items.toSpliced(at, 1) : [...items, copy]
    return [`${path}: item ${at}`, Buffer.from(JSON.stringify({ ...page, [name]: changed }))]
  })
}

/** Changes answers of a directory, of the kind and at the place that chance says. */
export function tamper(random: Seeded): Tampering {
  const ways: readonly (() => Tampering)[] = [
    () => turned(random, 'checkpoints', /^\/log\/checkpoint$/),
    () => turned(random, 'tiles', /^\/log\/tile\/\d/),
    () => turned(random, 'entries', /^\/log\/tile\/entries\//),
    () => member(random),
    () => member(random),
    () => item(random),
  ]
  return picked(random, ways)()
}
