import { readFile } from 'node:fs/promises'
import { entriesCounted } from '../domain/count.ts'
import type { Problem } from '../domain/problem.ts'
import { bounded } from '../wire/bounded.ts'
import {
  checkPostDocument,
  checkReviewDocument,
  NEEDS_CHAIN,
  type Witness,
  type WritingCheck,
} from '../wire/check-writing.ts'
import { checkOfferDocument } from '../wire/offers/check-document.ts'
import { PATHS } from '../wire/paths.ts'
import { checkClaimDocument, checkStatementDocument } from '../wire/sellers/check.ts'
import { misuse } from './command.ts'
import { checkLogged, isOfEvidence } from './log/verify-logged.ts'
import { plainLine } from './terminal/plain.ts'
import type { Screen } from './terminal/progress.ts'

const CHECKS: Readonly<Record<string, (document: unknown) => WritingCheck>> = {
  review: checkReviewDocument,
  post: checkPostDocument,
  offer: checkOfferDocument,
  statement: checkStatementDocument,
  claim: checkClaimDocument,
}

export const WRITINGS = Object.keys(CHECKS)

export const isWriting = (word: string): boolean => Object.hasOwn(CHECKS, word)

const DEADLINE_MS = 30_000
const EVIDENCE_PLACES = `name the address of a list of probes or of routes, such as ${PATHS.apiHostProbes}`
const LONGEST_DOCUMENT = 1_000_000
/** Of one character of a text in UTF-8. */
const MOST_BYTES_EACH = 3

/** Checks one review, post, statement, claim or signed offer from its public JSON, of a file or an address; asks nobody but the witness, if there is one. */
export async function verifyWriting(
  fetch: typeof globalThis.fetch,
  kind: string,
  place: string,
  out: Screen,
  witness?: Witness,
): Promise<number> {
  const document = documentOf(place, await textAt(fetch, place))
  const alone = CHECKS[kind]?.(document)
  if (alone?.isOther)
    throw misuse(`${place} is not the JSON of one ${kind}`, `name the JSON of one ${kind}, or its address`)
  const check = alone && (witness ? await asked(alone, witness) : unlooked(alone))
  for (const finding of check?.findings ?? []) out.write(`${plainLines(finding)}\n`)
  const logged = await checkLogged(fetch, kind, place, document)
  for (const { finding } of logged) out.write(`${plainLine(finding)}\n`)
  const isOk = check?.ok === true && logged.every(({ ok }) => ok)
  const signer = kind === 'offer' ? 'seller' : 'wallet'
  out.write(isOk ? `Verified: the ${kind} is as its ${signer} signed it.\n` : `Not verified.\n`)
  return isOk ? 0 : 1
}

/** What was signed has several lines: they stand below what is said of them, where none can pass for a finding. */
function plainLines(finding: string): string {
  const lines = finding.split('\n').map(plainLine)
  return lines.length === 1 ? lines.join() : lines.map((line) => `  ${line}`).join('\n')
}

/** Checks that the probe entries or listing rows in a document of the API are in the log of its directory. */
export async function verifyEvidence(
  fetch: typeof globalThis.fetch,
  kind: string,
  address: string,
  out: Screen,
): Promise<number> {
  const document = documentOf(address, await textAt(fetch, address))
  if (!isOfEvidence(kind, document)) throw misuse(`${address} is not the JSON of a ${kind}`, EVIDENCE_PLACES)
  const logged = await checkLogged(fetch, kind, address, document)
  for (const { finding } of logged) out.write(`${plainLine(finding)}\n`)
  if (logged.length === 0) out.write(`There is no ${kind} in this document that could be looked for in a log.\n`)
  const isOk = logged.length > 0 && logged.every(({ ok }) => ok)
  out.write(isOk ? `Verified: the log has ${entriesCounted(logged.length)}.\n` : 'Not verified.\n')
  return isOk ? 0 : 1
}

const WORD_ALONE = "That it was paid is the directory's word"

/** Says of a payment that nobody has looked for it. */
const unlooked = ({ findings, payment, ...check }: WritingCheck): WritingCheck => {
  const words = `${WORD_ALONE}: it is on chain and not looked at here. Name a node of its chain with --rpc-url to ask it.`
  return { ...check, findings: payment ? [...findings, words] : findings }
}

/** What the chain adds to what the document alone says. */
async function asked(check: WritingCheck, witness: Witness): Promise<WritingCheck> {
  const { unasked, payment } = check
  if (unasked) {
    const said = await witness.signed(unasked)
    const words = {
      yes: `The smart wallet ${unasked.wallet} says that it signed these lines:`,
      no: `The wallet ${unasked.wallet} does not say on this chain that it signed these lines:`,
      unknown: `The node does not answer whether ${unasked.wallet} signed these lines:`,
    }
    const answered = [words[said], unasked.message]
    const findings = check.findings.flatMap((finding) => (finding === NEEDS_CHAIN ? answered : [finding]))
    return said === 'yes'
      ? asked({ ok: true, findings, ...(payment && { payment }) }, witness)
      : { ok: false, findings }
  }
  if (!check.ok || payment === undefined) return check
  const said = await witness.paid(payment)
  const words = {
    yes: 'The chain holds that transfer.',
    no: 'The chain does not hold that transfer.',
    unknown: `The node does not say: it is not on ${payment.network}, or does not answer. ${WORD_ALONE}.`,
  }
  return { ok: said !== 'no', findings: [...check.findings, words[said]] }
}

async function textAt(fetch: typeof globalThis.fetch, place: string): Promise<string> {
  const isAddress = /^https?:\/\//.test(place)
  try {
    if (!isAddress) return await readFile(place, 'utf8')
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const answer = await fetch(place, { headers: { Accept: 'application/json' }, signal })
    if (answer.ok) return await bounded(answer, MOST_BYTES_EACH * LONGEST_DOCUMENT).text()
  } catch (error) {
    if (error instanceof RangeError) throw tooLong(place)
    throw unreadable(isAddress ? `${place} does not answer` : `there is no file ${place}`)
  }
  throw unreadable(`${place} does not answer with a document`)
}

function documentOf(place: string, text: string): unknown {
  try {
    if (text.length <= LONGEST_DOCUMENT) return JSON.parse(text)
  } catch {
    throw unreadable(`${place} is not JSON`)
  }
  throw tooLong(place)
}

const tooLong = (place: string): Problem => unreadable(`${place} is longer than any review, post or offer`)

/** Nothing was checked, which is neither that it holds nor that it does not: told as every misuse is. */
const unreadable = (detail: string): Problem => misuse(detail, 'name a file of JSON of that kind, or its address')
