import { expect } from 'vitest'

/** A command as documents write it, and what its output is held to. The first that fits counts. */
interface Result {
  readonly command: RegExp
  readonly shows: (out: string) => void
}

const text =
  (...patterns: readonly RegExp[]) =>
  (out: string): void => {
    for (const pattern of patterns) expect(out).toMatch(pattern)
  }

const json =
  (expected: object) =>
  (out: string): void =>
    expect(JSON.parse(out)).toMatchObject(expected)

const WEATHER = 'weather.seller.test'
const SOME = expect.arrayContaining([expect.anything()])
const LINES = { message: expect.stringMatching(/^(?:review|thread)\n/), signed_at: expect.any(String) }
const SELLER_LINES = { message: expect.stringMatching(/^(?:claim|statement)\n/), signed_at: expect.any(String) }

/** Every command of the documents that a test can run as it stands. Write a line here with each new one. */
export const RESULTS: readonly Result[] = [
  { command: /-X POST \S+\/v1\/decide/, shows: json({ allow: false, findings: SOME, route: { method: 'GET' } }) },
  { command: /tollbook\.js ask /, shows: text(/^Allow: nothing stops this payment\.\n/) },
  { command: /accept: text\/markdown.*\/v1\/decide/i, shows: text(/^# /m, /weather\.seller\.test/) },
  {
    command: /verify offer \S+weather\.seller\.test/,
    shows: text(/It is signed by the payee that it names, 0x\w{40}\./),
  },
  { command: /\/v1\/decide\?/, shows: json({ route: { method: 'GET' } }) },
  { command: /accept: text\/markdown|format=md/i, shows: text(/^# weather\.seller\.test$/m, /Machine-observed/) },
  { command: /view=cards/, shows: text(/<html/, /D-184/) },
  { command: /\/v1\/hosts\/weather\.seller\.test$/, shows: json({ host: WEATHER, routes: SOME }) },
  { command: /\/v1\/hosts\?/, shows: json({ hosts: SOME }) },
  { command: /-X POST \S+\/v1\/reviews/, shows: json({ level: 'Unsigned', rating: 4 }) },
  { command: /\/v1\/reviews\/message\?/, shows: json(LINES) },
  { command: /\/v1\/thread\/\S+\/message\?/, shows: json(LINES) },
  { command: /\/v1\/(?:claims|hosts\/\S+\/statements)\/message\?/, shows: json(SELLER_LINES) },
  { command: /\/statements$/, shows: json({ host: WEATHER, claims: SOME, statements: SOME }) },
  { command: /\/v1\/thread\/weather\.seller\.test$/, shows: json({ posts: SOME }) },
  { command: /\/v1\/policy$/, shows: json({ thread: { price: '0.050000' } }) },
  { command: /\/llms\.txt$/, shows: text(/^# Tollbook/, /\/openapi\.json/) },
  { command: /\/openapi\.json$/, shows: json({ openapi: expect.stringMatching(/^3\.1/) }) },
  { command: /"name":"should_i_pay"/, shows: text(/weather\.seller\.test/, /"result"/) },
  { command: /tools\/list.*tollbook\.js mcp/, shows: text(/"should_i_pay"/) },
  { command: /^cat > records\.ndjson/, shows: (out) => expect(out).toBe('') },
  { command: /tollbook\.js import records\.ndjson$/, shows: text(/^Imported \d+ records/) },
  // Its file is looked at by the command that follows it.
  { command: /tollbook\.js export everything\.ndjson$/, shows: (out) => expect(out).toBe('') },
  { command: /tollbook\.js export$/, shows: text(/^\{"kind":/) },
  { command: /^wc -l everything\.ndjson$/, shows: text(/^[1-9]\d* everything\.ndjson/) },
  { command: /tollbook\.js verify$/, shows: text(/^Verified \d+ hosts?, 0 differences\.\n$/) },
  { command: /tollbook\.js doctor$/, shows: text(/^ok {4}database/m, /(?:nothing|Nothing is) in the way\.\n$/) },
  { command: /tollbook\.js backup tollbook\.backup$/, shows: text(/tollbook\.backup/) },
  {
    command: /tollbook\.js restore tollbook\.backup$/,
    shows: text(/^Restored \d+ hosts? from tollbook\.backup and verified (?:it|them)\.\n$/),
  },
  {
    command: /tollbook\.js why https:\/\/api\.example\.com\/v1\/x$/,
    shows: text(/^api\.example\.com\/v1\/x is listed/),
  },
  { command: /tollbook\.js payments$/, shows: text(/^No payments\.|^changed/) },
  { command: /-o verify\.mjs$/, shows: (out) => expect(out).toBe('') },
  {
    command: /^node verify\.mjs \S+$/,
    shows: text(/\d+ entries, root /, /^Every entry and every tile leads to this root\.$/m),
  },
  { command: /^node verify\.mjs \S+ 0$/, shows: text(/^Entry 0 is in the log:\n\{"at":/m) },
  { command: /tollbook\.js --help$/, shows: text(/^Usage: tollbook/) },
]

export const resultOf = (command: string): Result | undefined => RESULTS.find((result) => result.command.test(command))
