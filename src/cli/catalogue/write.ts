import { THREAD_DOLLARS } from '../../domain/thread.ts'
import { METHODS, RAILS } from '../../domain/words/route-words.ts'
import type { CommandEntry } from './entry.ts'

const to = { type: 'string', value: '<address>', about: 'the directory (BASE_URL unless given)' } as const
const rail = { type: 'string', default: 'x402', value: RAILS.join('|') } as const

export const REVIEW = {
  name: 'review',
  group: 'Write',
  takes: '<url>',
  summary: 'sign and submit a review',
  about: `Shows the lines, signs them with the wallet of a file, submits them and says
what level the directory found. Without a key the review is unsigned.`,
  options: {
    rating: { type: 'string', value: '1..5', isNeeded: true, about: 'needed: 5 is best' },
    text: { type: 'string', value: '"…"', isNeeded: true, about: 'needed: what you found' },
    'key-file': { type: 'string', value: '<file>', about: 'the private key of the wallet, in hex' },
    payment: { type: 'string', value: '<network>:<transaction>', about: 'the payment that supports it' },
    status: { type: 'string', value: '<status>|none', about: 'what the call brought; none: no answer' },
    latency: { type: 'string', value: '<ms>', about: 'with --status: how long it took' },
    bytes: { type: 'string', value: '<n>', about: 'with --status: how long the answer was' },
    'content-sha256': { type: 'string', value: '<hex>', about: 'with --status: of the answer' },
    method: { type: 'string', default: 'GET', value: METHODS.join('|'), about: 'of the route' },
    rail: { ...rail, about: 'how the call was paid' },
    to,
    directory: { type: 'string', value: '<host>', about: 'it is signed for; else the host of --to' },
  },
  example: "review https://api.example.com/v1/x --rating 5 --text 'As listed.' --key-file wallet.key",
} as const satisfies CommandEntry

export const POST = {
  name: 'post',
  group: 'Write',
  takes: '<host>',
  summary: 'pay for a post to a thread',
  about: `Shows the price and who is paid, asks, pays, and stays until the outcome is
known. A refused post costs nothing.`,
  options: {
    'key-file': {
      type: 'string',
      value: '<file>',
      isNeeded: true,
      about: 'needed: the private key of the wallet, in hex',
    },
    text: { type: 'string', value: '"…"', about: 'what you write; standard input unless given' },
    'max-cost': { type: 'string', default: THREAD_DOLLARS, value: '<dollars>', about: 'nothing dearer is signed' },
    'idempotency-key': { type: 'string', value: '<key>', about: 'another one pays for the same words again' },
    yes: { type: 'boolean', default: false, about: 'pay without asking' },
    'rpc-url': { type: 'string', value: '<url>', about: 'a node of the network that mpp pays on' },
    rail: { ...rail, about: 'how the post is paid' },
    to,
  },
  example: "post api.example.com --key-file wallet.key --text 'Does the price include retries?'",
} as const satisfies CommandEntry

export const HIDE = {
  name: 'hide',
  group: 'Write',
  takes: '<kind> <id>',
  summary: 'take the text of a post or a review down',
  about: `Kinds: post, review, and statement for what a seller says.
Leaves a dated placeholder with the reason, which is public; the payment and
the signature stay, and so does all that counts of a review. What a hidden
statement retired is sold again.`,
  options: { reason: { type: 'string', value: '"…"', isNeeded: true, about: 'needed: 200 characters at most' } },
  example: 'hide post pabcdefghijklmnopqrstuvwxyz --reason "names a private person"',
} as const satisfies CommandEntry
