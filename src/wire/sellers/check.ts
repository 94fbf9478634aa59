import { z } from 'zod'
import { STATEMENT_KINDS } from '../../domain/seller/statement.ts'
import { walletKey } from '../../domain/wallet.ts'
import {
  checkLines,
  checkSigned,
  failed,
  forDirectory,
  notOne,
  shownDigest,
  type WritingCheck,
  withHidden,
} from '../check-writing.ts'
import { claimMessage, statementDigestMessage } from './lines.ts'

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
  if (!read.success) return notOne('statement')
  const said = read.data
  const digest = shownDigest(said)
  const message = statementDigestMessage({ ...said, signedAt: said.signed_at }, digest)
  return withHidden(forDirectory(checkSigned(said, digest, message), said.directory), said)
}

const CLAIM = z.object({
  host: z.string(),
  wallet: z.string(),
  message: z.string(),
  signature: z.string(),
  signed_at: z.string(),
  directory: z.string().nullish(),
})

const CLAIMS = z.object({ claims: z.array(z.unknown()) })

/** A claim, or all that a list of a host's statements has. Whether its proofs held is what the directory saw. */
export function checkClaimDocument(document: unknown): WritingCheck {
  const list = CLAIMS.safeParse(document)
  if (!list.success) return checkClaim(document)
  const checks = list.data.claims.map(checkClaim)
  if (checks.length === 0) return failed('There is no claim in this document.')
  return { ok: checks.every(({ ok }) => ok), findings: checks.flatMap(({ findings }) => findings) }
}

function checkClaim(document: unknown): WritingCheck {
  const read = CLAIM.safeParse(document)
  if (!read.success) return notOne('claim')
  const { host, wallet, message, signature, signed_at: signedAt, directory } = read.data
  // The lines have the wallet as it was sent, which need not be its common form.
  const line = message.split('\n')[2] ?? ''
  if (walletKey(line) !== walletKey(wallet) || message !== claimMessage({ host, wallet: line, directory, signedAt }))
    return failed('The lines that are said to be signed are not those of the fields.')
  return forDirectory(checkLines(wallet, message, signature), directory)
}
