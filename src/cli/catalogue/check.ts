import { PAYMENT_STATES } from '../../domain/money/payment.ts'
import type { CommandEntry } from './entry.ts'

export const VERIFY = {
  name: 'verify',
  group: 'Check',
  takes: '[review|post <file>]',
  summary: 'recompute every counter; check a writing',
  about: `Counts every row again and names every difference. With review or post: checks
one of them from its JSON alone, of a file or an address, and asks nobody but
the node of --rpc-url: whether a smart wallet signed, whether a post was paid.`,
  options: {
    'rpc-url': { type: 'string', value: '<url>', about: 'a node of the chain to be asked' },
  },
  example: 'verify review https://tollbook.example/v1/reviews/<id>',
} as const satisfies CommandEntry

export const DOCTOR = {
  name: 'doctor',
  group: 'Check',
  takes: '',
  summary: 'say what this instance still lacks',
  about: `Looks at configuration, database, disk, signatures, nodes, facilitator, sources
and clock, and says what to do about what it finds.`,
  options: {},
  example: 'doctor',
} as const satisfies CommandEntry

export const PAYMENTS = {
  name: 'payments',
  group: 'Check',
  takes: '',
  summary: 'list payments for posts, with totals',
  about: 'Newest first, with what came of each.',
  options: {
    state: { type: 'string', value: PAYMENT_STATES.join('|'), about: 'only these' },
    limit: { type: 'string', default: '50', value: '<count>', about: 'how many are listed' },
  },
  example: 'payments --state pending',
} as const satisfies CommandEntry
