import { z } from 'zod'
import { STATEMENT_KINDS } from '../../domain/seller/statement.ts'
import { checkSigned, failed, forDirectory, type WritingCheck } from '../check-writing.ts'
import { textDigest } from '../signed-lines.ts'
import { statementDigestMessage } from './lines.ts'

const STATEMENT = z.object({
  host: z.string(),
  kind: z.enum(STATEMENT_KINDS),
  about: z.string(),
  text: z.string(),
  text_sha256: z.string().optional(),
  message: z.string().nullish(),
  wallet: z.string(),
  signature: z.string(),
  signed_at: z.string(),
  directory: z.string().nullish(),
  hidden: z.unknown(),
})

/** A statement as `GET /v1/statements/<id>` gives it. Whether the wallet spoke for the host is not in it. */
export function checkStatementDocument(document: unknown): WritingCheck {
  const read = STATEMENT.safeParse(document)
  if (!read.success) return failed('This is not the JSON of a statement.')
  const said = read.data
  const isHidden = said.hidden !== null && said.hidden !== undefined
  const digest = isHidden ? (said.text_sha256 ?? '') : textDigest(said.text)
  const message = statementDigestMessage({ ...said, signedAt: said.signed_at }, digest)
  const check = forDirectory(checkSigned(said, digest, message), said.directory)
  return isHidden
    ? { ...check, findings: ['The text is hidden: only its digest is checked.', ...check.findings] }
    : check
}
