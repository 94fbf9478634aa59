import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import { addCommand } from './add.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { askCommand } from './explain/ask.ts'
import { whyCommand } from './explain/why.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { auditCommand } from './log/audit.ts'
import { witnessCommand } from './log/witness.ts'
import { paymentsCommand } from './payments.ts'
import { reviewCommand } from './review.ts'
import { distributeCommand } from './schema/distribute.ts'
import { claimCommand } from './sellers/claim.ts'
import { sayCommand } from './sellers/say.ts'
import { commandContext } from './testing/command-context.ts'
import { verifyCommand } from './verify.ts'

const deps = {
  baseUrl: 'http://localhost:8402',
  fetch: () => Promise.reject(new TypeError('fetch failed')),
  nowMs: () => 0,
}
const COMMANDS = {
  payments: paymentsCommand,
  review: reviewCommand(deps),
  ask: askCommand(deps),
  claim: claimCommand(deps),
  say: sayCommand(deps),
  distribute: distributeCommand,
  add: addCommand,
  backup: backupCommand,
  restore: restoreCommand,
  import: importCommand,
  export: exportCommand,
  audit: auditCommand(deps.fetch),
  why: whyCommand({ rules: { methods: [], isOptedOut: () => false, isAllowed: () => true }, nowUs: () => 0 }),
  witness: witnessCommand({ nextSignal: () => new Promise(() => undefined), nowS: () => 0 }),
  verify: verifyCommand(deps.fetch, () => Promise.reject(new Error('asks nobody'))),
}

/** What the call is refused with, as it is printed. */
async function refusal(line: string): Promise<string> {
  const [name = '', ...argv] = line.split(' ')
  const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1]
  const found = await command?.run(argv, commandContext().context).catch((error: unknown) => error)
  return found instanceof Problem ? `${found.detail} (${found.hint})` : String(found)
}

const ASK = 'ask https://api.example.com/v1/x'
const REVIEW = 'review https://api.example.com/v1/x --text Good'

describe('a call that cannot be read', () => {
  it.each([
    [`${REVIEW} --rating 9`, '--rating: expected 1 to 5'],
    [`${REVIEW}`, '--rating: expected 1 to 5'],
    [`${REVIEW} --rating 5 --rail visa`, '--rail: expected one of x402, mpp'],
    [`${REVIEW} --rating 5 --method HEAD`, '--method: expected one of GET'],
    [`${REVIEW} --rating 5 --to example`, '--to: expected an http or https address'],
    [`${REVIEW} --rating 5 --to http://`, '--to: expected an http or https address'],
    ['review https://api.example.com/v1/x --rating 5', '--text: expected what you found'],
    ['review --rating 5 --text Good', '<url>: expected the http or https address'],
    ['review api.example.com --rating 5 --text Good', '<url>: expected the http or https address'],
    ['ask', '<url>: expected an http or https address'],
    ['ask api.example.com/v1/x', '<url>: expected an http or https address'],
    [`${ASK} --price abc`, '--price: expected dollars'],
    [`${ASK} --price 0.0000001`, '--price: expected dollars'],
    [`${ASK} --price=-1`, '--price: expected dollars'],
    [`${ASK} --max-price $1`, '--max-price: expected dollars'],
    [`${ASK} --rail visa`, '--rail: expected one of x402, mpp'],
    [`${ASK} --method HEAD`, '--method: expected one of GET'],
    [`${ASK} --to example`, '--to: expected an http or https address'],
    ['payments --limit x', '--limit: expected a whole number from 1 to 999999'],
    ['payments --state foo', '--state: expected one of '],
    ['payments a b', 'one post at most'],
    ['claim a.example', '--key-file: expected the file'],
    ['claim a_b..example --key-file k', '<host>: expected a seller host'],
    ['say a_b..example contact --text Hello --key-file k', '<host>: expected a seller host'],
    ['claim --key-file k', '<host>: expected the host'],
    ['say a.example foo', '<kind>: expected one of reply, '],
    ['say a.example contact', '--key-file: expected the file'],
    ['verify foo x', '<kind>: expected one of review, post, '],
    ['verify --rpc-url http://localhost:8545', '--rpc-url: counters are recomputed'],
    ['distribute --shards abc', '--shards: expected a whole number from 1 to 1024'],
    ['distribute --shards 0', '--shards: expected a whole number from 1 to 1024'],
    ['add', '<url>: expected the address of a seller'],
    ['add a.example b.example', 'b.example: this word is one too many'],
    ['backup', '<file>: expected the file to be written'],
    ['backup my backup', 'backup: this word is one too many'],
    ['restore', '<file>: expected the file of a backup'],
    ['import', '<file>: expected an NDJSON file'],
    ['export a b', 'b: this word is one too many'],
    ['why', '<url|host>: expected the address of a route, or a host'],
    ['audit', '<base_url>: expected the http or https address'],
    ['audit directory.example', '<base_url>: expected the http or https address'],
    ['witness', '<vkey…>: expected the keys'],
    ['witness a+b+c', '--name: expected the name'],
    ['verify review', '<file>: expected its JSON'],
    ['verify probe a b', 'one file is checked at a time'],
  ])('names what is wrong with it: %s', async (line, fault) => {
    const said = await refusal(line)
    expect(said.startsWith(fault)).toBe(true)
    expect(said).toMatch(/ \(usage: tollbook /)
  })

  it('of a directory that does not answer says how another one is named', async () => {
    expect(await refusal(`${REVIEW} --rating 5`)).toContain(
      'http://localhost:8402 does not answer (name the directory with --to)',
    )
  })
})
