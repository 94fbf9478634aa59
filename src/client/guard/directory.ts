import { FINDING_CODES, type FindingCode, SEVERITIES, type Severity } from '../../domain/guard/finding.ts'
import type { Method } from '../../domain/words/route-words.ts'
import { DECIDE_PATH } from '../../wire/paths.ts'
import { fieldOf } from './offer.ts'
import type { GuardFinding } from './verdict.ts'

/** More than any directory has to say of one offer. */
const MOST_BYTES = 262_144
/** A request that outlives the answer to its question may still teach the next one. */
const PATIENCE_MS = 10_000

export interface Directory {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
}

/** What a directory finds of a question. Rejects when there is no answer, or one that no directory gives. */
export async function findingsFrom({ baseUrl, fetch }: Directory, question: Question): Promise<GuardFinding[]> {
  const answer = await fetch(`${baseUrl}${DECIDE_PATH}`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(question),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const document: unknown = JSON.parse(await textOf(answer))
  if (answer.status === 400 && fieldOf(document, 'field') === 'url')
    return [finding('unknown_host', 'warn', 'This address is not one of a public host: no directory can know it.')]
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`)
  if (!isAnswerTo(question, document)) throw new Error('another answer')
  return findingsIn(document)
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

async function textOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const reader = answer.body?.getReader()
  for (let bytes = 0; ; ) {
    const piece = await reader?.read()
    if (!piece?.value) return text
    bytes += piece.value.length
    if (bytes > MOST_BYTES) {
      await reader?.cancel()
      throw new Error('too long')
    }
    text += decoder.decode(piece.value, { stream: true })
  }
}

const isAnswerTo = ({ url, rail }: Question, document: unknown): boolean => {
  const asked = fieldOf(document, 'asked')
  return fieldOf(asked, 'url') === url && fieldOf(asked, 'rail') === rail
}

/** Throws for anything that is not exactly what this version of a directory answers. */
function findingsIn(document: unknown): GuardFinding[] {
  const [allow, found] = [fieldOf(document, 'allow'), fieldOf(document, 'findings')]
  if (typeof allow !== 'boolean' || !Array.isArray(found)) throw new Error('no findings')
  const findings = found.map((one): GuardFinding => {
    const code = FINDING_CODES.find((known) => known === fieldOf(one, 'code'))
    const severity = SEVERITIES.find((known) => known === fieldOf(one, 'severity'))
    const [said, evidence] = [fieldOf(one, 'said'), fieldOf(one, 'href')]
    if (!code || !severity || typeof said !== 'string' || typeof evidence !== 'string') throw new Error('no finding')
    return { code, severity, said, evidence }
  })
  if (allow === findings.some(({ severity }) => severity === 'stop')) throw new Error('it contradicts itself')
  return findings
}
