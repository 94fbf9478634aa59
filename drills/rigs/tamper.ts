import type { Seeded } from '../../test/crash/seeded.ts'

/** One way to show something else than what is so. */
export interface Tampering {
  readonly what: string
  readonly fetch: typeof globalThis.fetch
}

const KINDS = ['checkpoint', 'tile', 'entries', 'page'] as const

/** Members of pages that follow from the log, and what else they could say. */
const CHANGES: readonly (readonly [member: RegExp, into: string])[] = [
  [/"machine_evidence_rows":(\d+)/, '"machine_evidence_rows":1$1'],
  [/"agent_reviews":(\d+)/, '"agent_reviews":1$1'],
  [/"routes":(\d+)/, '"routes":1$1'],
  [/"summary":"/, '"summary":"1'],
  [/"latency_line":"Latency: /, '"latency_line":"Latency: 1'],
  [/"signed":(\d+)/, '"signed":1$1'],
  [/"http_status":402/, '"http_status":200'],
  [/"latency_ms":(\d+)/, '"latency_ms":1$1'],
  [/"first_observed":"2026/, '"first_observed":"2025'],
  [/"rating":(\d)/, '"rating":1$1'],
  [/"level":"Signed"/, '"level":"Verified buyer"'],
  [/"date":"2026-11-14/, '"date":"2026-10-14'],
  [/"text":"(Review|Does)/, '"text":"Not $1'],
  [/"index":(\d+)/, '"index":9$1'],
]

/** Changes one answer of a directory, of the kind and at the place that chance says. */
export function tamper(random: Seeded): Tampering {
  const kind = KINDS[random.between(0, KINDS.length - 1)] ?? 'page'
  const change = CHANGES[random.between(0, CHANGES.length - 1)] ?? CHANGES[0]
  const place = random.between(0, 1_000_000)
  let isDone = false
  const isOf = (url: string): boolean => {
    if (kind === 'checkpoint') return url.endsWith('/log/checkpoint')
    if (kind === 'entries') return url.includes('/log/tile/entries/')
    if (kind === 'tile') return /\/log\/tile\/\d/.test(url)
    return url.includes('/v1/hosts/') || url.includes('/v1/thread/')
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await globalThis.fetch(input, init)
    if (!isOf(String(input)) || answer.status !== 200) return answer
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (kind !== 'page') {
      const at = place % bytes.length
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (place % 8))
      isDone = true
      return new Response(bytes)
    }
    const text = new TextDecoder().decode(bytes)
    const [member, into] = change ?? [/$^/, '']
    isDone ||= member.test(text)
    return new Response(text.replace(member, into))
  }
  return {
    get what() {
      return isDone ? `${kind} ${kind === 'page' ? change?.[0] : `at ${place}`}` : ''
    },
    fetch,
  }
}
