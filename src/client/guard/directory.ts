import { type FindingCode, SEVERITIES, type Severity } from '../../domain/guard/finding.ts'
import type { Method } from '../../domain/words/route-words.ts'
import { bounded } from '../../wire/bounded.ts'
import { fieldOf, listOf } from './field.ts'
import { allows, type GuardFinding } from './verdict.ts'

/** More than any directory has to say of one offer. */
const MOST_BYTES = 1e6
/** A request that outlives the answer to its question may still teach the next one. */
const PATIENCE_MS = 10_000

const CODE = /^[a-z_]{1,40}$/
/** A sentence or an address on one line: it ends in logs and on terminals. The longest path has 6,000 signs there. */
const LINE = /^\P{C}{0,9999}$/u

export type Found = readonly GuardFinding[] | undefined

export interface Directory {
  readonly decideUrl: string
  readonly reviewsUrl: string
  readonly fetch: typeof globalThis.fetch
}

/** What a directory finds of a question. Rejects or is `undefined` where there is no answer, or one that no directory gives. */
export async function findingsFrom({ decideUrl, fetch }: Directory, question: Question): Promise<Found> {
  const answer = await fetch(decideUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(question),
    // Whoever it points at is no directory that was named: such an answer is none. ('error' may lose the deadline.)
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const document: unknown = JSON.parse(await bounded(answer, MOST_BYTES).text())
  const field = answer.status === 400 && fieldOf(document, 'field')
  if (field === 'url') return [finding('unknown_host', 'warn', 'No directory can know this address.')]
  // Whoever asks what no directory answers is told so: a silent guard would guard nothing.
  if (field) {
    const detail = String(fieldOf(document, 'detail'))
    return [finding('directory_unreachable', 'stop', LINE.test(detail) ? detail : 'The question is refused.')]
  }
  const asked = fieldOf(document, 'asked')
  const isAnswer = fieldOf(asked, 'url') === question.url && fieldOf(asked, 'rail') === question.rail
  return answer.status === 200 && isAnswer ? findingsIn(document) : undefined
}

export interface Question {
  readonly method?: Method | undefined
  readonly url: string
  readonly rail: 'x402' | 'mpp'
  readonly offer: object
  readonly policy: object
}

export const finding = (code: FindingCode, severity: Severity, said: string): GuardFinding => ({
  ...{ code, severity, said, evidence: '' },
})

/** Rejects anything that no directory answers. One that is newer than this program may find more than it knows of. */
function findingsIn(document: unknown): Found {
  const found = fieldOf(document, 'findings')
  const findings = listOf(found).flatMap(findingIn)
  return fieldOf(found, 'length') === findings.length && fieldOf(document, 'allow') === allows(findings)
    ? findings
    : undefined
}

function findingIn(one: unknown): GuardFinding | [] {
  const [code = '', said = '', evidence] = ['code', 'said', 'href']
    .map((name) => fieldOf(one, name))
    .filter((word): word is string => typeof word === 'string' && LINE.test(word))
  const severity = SEVERITIES.find((known) => known === fieldOf(one, 'severity'))
  return evidence !== undefined && severity && CODE.test(code) ? { code, severity, said, evidence } : []
}
