import { z } from 'zod'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { lineFault, textFault } from '../../domain/words/text.ts'
import { parseSignedAt } from '../signed-at.ts'
import { parseWallet } from '../wallet.ts'

/** What is posted to a thread, well-formed and not yet believed. */
export interface PostBody {
  readonly text: string
  /** In the form of `parseWallet`. */
  readonly wallet: string
  readonly signature: string
  /** As it was signed; whether it is recent is another question. */
  readonly signedAt: string
}

const schema = z.strictObject({ text: z.string(), wallet: z.string(), signature: z.string(), signed_at: z.string() })
/** In characters; signatures of smart wallets that are not deployed yet carry their deployment. */
const LONGEST_SIGNATURE = 15_000
const LONGEST_NAME = 40

/** Throws a `Problem` that names the first field that is wrong. */
export function parsePostBody(body: unknown): PostBody {
  const reading = schema.safeParse(body)
  if (!reading.success) throw shapeFault(body, reading.error.issues[0])
  const { text, signature, signed_at: signedAt } = reading.data
  const unfit = textFault(text)
  if (unfit !== undefined) throw problem('invalid-text', sentence(unfit), { more: { field: 'text' } })
  const wallet = parseWallet(reading.data.wallet)
  if (wallet === undefined) {
    throw invalid('wallet', 'wallet is not an EVM address (0x and 40 hex digits, checksum right) or a Solana one.')
  }
  const broken = lineFault(signature, LONGEST_SIGNATURE)
  if (broken !== undefined) throw invalid('signature', 'signature is empty, too long or not one line of text.')
  if (parseSignedAt(signedAt) === undefined) {
    throw problem('invalid-signed-at', 'signed_at is not a UTC time of the form 2026-11-14T12:34:56Z.', {
      more: { field: 'signed_at' },
    })
  }
  return { text, wallet, signature, signedAt }
}

const invalid = (field: string, detail: string): Problem => problem('invalid-field', detail, { more: { field } })

const sentence = (fault: string): string => `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`

function shapeFault(body: unknown, issue: z.core.$ZodIssue | undefined): Problem {
  if (issue?.code === 'unrecognized_keys') {
    const name = JSON.stringify(issue.keys[0]?.slice(0, LONGEST_NAME).toWellFormed())
    return problem('invalid-field', `The field ${name} is not one of text, wallet, signature and signed_at.`)
  }
  const field = issue?.path[0]
  if (typeof field !== 'string' || typeof body !== 'object' || body === null) {
    return problem('invalid-field', 'The body is not a JSON object with text, wallet, signature and signed_at.')
  }
  return invalid(field, Object.hasOwn(body, field) ? `${field} is not a string.` : `${field} is missing.`)
}
