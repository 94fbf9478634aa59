import type { CommandEntry } from './entry.ts'

const signing = {
  'key-file': {
    type: 'string',
    value: '<file>',
    isNeeded: true,
    about: 'needed: the private key of the wallet, in hex',
  },
  to: { type: 'string', value: '<address>', about: 'the directory (BASE_URL unless given)' },
  directory: { type: 'string', value: '<host>', about: 'it is signed for; else the host of --to' },
} as const

export const CLAIM = {
  name: 'claim',
  group: 'Write',
  takes: '<host>',
  summary: 'prove that a seller host is yours',
  about: `Shows the lines, signs them with the wallet of a file and sends them. Any one
proves it: the wallet's signature over your origin in /.well-known/x402, its
address on a line of its own in /.well-known/tollbook, or that live challenges
named it as payee on three days. Free; looked at again every day.`,
  options: signing,
  example: 'claim api.example.com --key-file wallet.key',
} as const satisfies CommandEntry

export const SAY = {
  name: 'say',
  group: 'Write',
  takes: '<host> <kind> [about]',
  summary: 'answer, correct or retire as the seller',
  about: `Of a host that you have claimed. Kinds, and what each is about:
  reply    review <id>, or post <id>
  correct  <METHOD> <url> <rail> [source]
  retire   <METHOD> <url> <rail>, or nothing for the whole host
  moved    the new host, which the same wallet has claimed
  contact  nothing; the text says how to reach you
  probe    <METHOD> <url> <rail>: once within a minute, six times an hour
It is shown as "The seller says" and changes no evidence.`,
  options: {
    text: { type: 'string', value: '"…"', about: 'what you say; needed to reply, correct, contact' },
    ...signing,
  },
  example: "say api.example.com reply review <id> --text 'Fixed today.' --key-file wallet.key",
} as const satisfies CommandEntry
