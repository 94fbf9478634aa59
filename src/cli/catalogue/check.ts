import { PAYMENT_STATES } from '../../domain/money/payment.ts'
import { METHODS, RAILS } from '../../domain/words/route-words.ts'
import type { CommandEntry } from './entry.ts'

export const VERIFY = {
  name: 'verify',
  group: 'Check',
  takes: '[kind <file>]',
  summary: 'recompute every counter; check a writing',
  about: `Counts every row again and names every difference. With a kind, one
of review, post, statement, claim and offer: checks them from their JSON alone,
of a file or an address, and asks nobody but the node of --rpc-url: whether a
smart wallet signed, whether a post was paid. Of an address it also checks the
proof that they are in the evidence log; with probe and listing, of every entry
in a list of probes and of every row in a list of routes. Exits with 1 when it
does not hold, with 2 when it could not be checked.`,
  options: {
    'rpc-url': { type: 'string', value: '<url>', about: 'a node of the chain to be asked' },
  },
  example: 'verify review https://tollbook.example/v1/reviews/<id>',
} as const satisfies CommandEntry

export const AUDIT = {
  name: 'audit',
  group: 'Check',
  takes: '<base_url>',
  summary: 'hold a directory against its log',
  about: `Reads the log of a directory, checks every hash and signature, replays it, and
compares counters, lines and rows of every host with what is shown. Keeps what
it read and the checkpoint it saw: the log must go on from there the next time.
Exits with 1 and names the row when anything differs.`,
  options: {
    folder: { type: 'string', default: 'audit', value: '<folder>', about: 'for what it has seen' },
    vkey: { type: 'string', value: '<vkey>', about: 'the key to trust, not the first one seen' },
  },
  example: 'audit https://tollbook.example',
} as const satisfies CommandEntry

export const ASK = {
  name: 'ask',
  group: 'Check',
  takes: '<url>',
  summary: 'what a guard would say before paying',
  about: `Holds what a seller asks for against what a directory knows of it, and says what
speaks against paying, with the address of the evidence. Without a price it is
what the route asked for last, or what is listed. Pays and sends nothing to the
seller. Exits with 0 when nothing stops the payment, with 3 when it does.`,
  options: {
    price: { type: 'string', value: '<dollars>', about: 'what is asked for, such as 0.02' },
    network: { type: 'string', value: '<network>', about: 'where, such as eip155:8453' },
    asset: { type: 'string', value: '<asset>', about: 'in what, by its address' },
    payee: { type: 'string', value: '<wallet>', about: 'who is to be paid' },
    'max-price': { type: 'string', value: '<dollars>', about: 'what you would pay at most' },
    method: { type: 'string', default: 'GET', value: METHODS.join('|'), about: 'of the route' },
    rail: { type: 'string', default: 'x402', value: RAILS.join('|'), about: 'how it is paid' },
    to: { type: 'string', value: '<address>', about: 'the directory (BASE_URL unless given)' },
  },
  example: 'ask https://api.example.com/v1/x --price 0.02 --network eip155:8453',
} as const satisfies CommandEntry

export const WHY = {
  name: 'why',
  group: 'Check',
  takes: '<url|host>',
  summary: 'why it is listed and probed, or is not',
  about: `Who lists it and since when, which source refused it for which reason, when it
was probed and when it will be, and what holds that back. Changes nothing.`,
  options: {},
  example: 'why https://api.example.com/v1/x',
} as const satisfies CommandEntry

export const DOCTOR = {
  name: 'doctor',
  group: 'Check',
  takes: '',
  summary: 'say what this instance still lacks',
  about: `Looks at configuration, database, disk, signatures, nodes, facilitator, sources
and clock, and says what to do about what it finds. Changes nothing.`,
  options: {},
  example: 'doctor',
} as const satisfies CommandEntry

export const PAYMENTS = {
  name: 'payments',
  group: 'Check',
  takes: '[post]',
  summary: 'list payments for posts, or tell of one',
  about: `Newest first, with what came of each, and totals. With the id of a post: the
story of its payment step by step, with what facilitator and chain answered.`,
  options: {
    state: { type: 'string', value: PAYMENT_STATES.join('|'), about: 'only these' },
    limit: { type: 'string', default: '50', value: '<count>', about: 'how many are listed' },
  },
  example: 'payments --state pending',
} as const satisfies CommandEntry
