import type { Shield } from '../domain/now/vantage.ts'
import type { EgressReply, HeaderPair } from './egress.ts'

type Head = ReadonlyMap<string, string>

/** What gives a challenge page away: the head of the answer, and of pages that refuse, words of its body. */
interface Mark {
  readonly shield: Shield
  readonly inHead?: (head: Head) => boolean
  readonly inBody?: readonly RegExp[]
}

const says =
  (name: string, pattern: RegExp) =>
  (head: Head): boolean =>
    pattern.test(head.get(name) ?? '')

const MARKS: readonly Mark[] = [
  {
    shield: 'cloudflare',
    inHead: says('cf-mitigated', /^challenge$/i),
    inBody: [
      /\/cdn-cgi\/challenge-platform\//,
      /<title>(?:Just a moment\.\.\.|Attention Required! \| Cloudflare)<\/title>/,
    ],
  },
  { shield: 'aws-waf', inHead: says('x-amzn-waf-action', /^(?:challenge|captcha)$/i), inBody: [/\bawswaf\.com\//] },
  {
    shield: 'vercel',
    inHead: says('x-vercel-mitigated', /^(?:challenge|deny)$/i),
    inBody: [/Vercel Security Checkpoint/],
  },
  { shield: 'datadome', inHead: (head) => head.has('x-dd-b'), inBody: [/\bcaptcha-delivery\.com\b/] },
  { shield: 'human', inHead: says('x-px-blocked', /^(?:1|true)$/i), inBody: [/\bpx-captcha\b/, /\b_pxAppId\b/] },
  { shield: 'imperva', inBody: [/_Incapsula_Resource/, /Incapsula incident ID/] },
  { shield: 'akamai', inBody: [/\berrors\.edgesuite\.net\b/, /\/_sec\/cp_challenge\//] },
]

/** Enough of a page to know it by. */
const LOOKED_AT = 16 * 1024

/**
 * Whose challenge page an answer is, as far as it says so; `null`: the seller's own answer, or nobody's known. Whoever asks
 * for payment is no shield. What a page says of itself is a word in a view and changes no class.
 */
export function shieldOf({ status, headers, body }: Pick<EgressReply, 'status' | 'headers' | 'body'>): Shield | null {
  if (status === 402 || status < 200) return null
  const head = headOf(headers)
  const byHead = MARKS.find(({ inHead }) => inHead?.(head))
  if (byHead !== undefined) return byHead.shield
  // Pages that were let through carry scripts of shields too.
  if (status < 400 || !/html/i.test(head.get('content-type') ?? '')) return null
  const page = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, LOOKED_AT)).toString('latin1')
  return MARKS.find(({ inBody = [] }) => inBody.some((words) => words.test(page)))?.shield ?? null
}

const headOf = (headers: readonly HeaderPair[]): Head =>
  new Map(headers.map(([name, value]) => [name.toLowerCase(), value.trim()]))
