import type { StatementKind } from '../domain/seller/words.ts'
import type { ClaimDocument, ClaimRequest, StatementPageDocument, StatementRequest } from '../wire/api/seller.ts'
import { fillPath, PATHS } from '../wire/paths.ts'
import { claimMessage, statementDigestMessage } from '../wire/sellers/lines.ts'
import { formatSignedAt } from '../wire/signed-at.ts'
import { claim as claimed, statementPage } from './answers/sellers.ts'
import type { Connection } from './connection.ts'
import { digestOf, type Signer } from './sign.ts'
import { submit } from './write.ts'

/** With `directory`, the host of the directory's address, a signature is good for that one alone: always name it. */
interface SignedFor {
  readonly host: string
  readonly directory?: string
  /** Milliseconds since 1970; now unless given. */
  readonly nowMs?: number
}

/** The body of a claim, signed. Good for 10 minutes. */
export async function signClaim(
  signer: Signer,
  { host, directory, nowMs = Date.now() }: SignedFor,
): Promise<ClaimRequest> {
  const signedAt = formatSignedAt(nowMs * 1000)
  const wallet = signer.address
  const signature = await signer.signMessage({ message: claimMessage({ host, wallet, directory, signedAt }) })
  return { host, wallet, signed_at: signedAt, signature, ...(directory === undefined ? {} : { directory }) }
}

export interface StatementToSign extends SignedFor {
  readonly kind: StatementKind
  /** `review <id>`, `<METHOD> <url> <rail>`, or a host. */
  readonly about: string
  /** May be left out for `retire`, `moved` and `probe`. */
  readonly text?: string
}

/** The body of a statement, signed. Good for 10 minutes. */
export async function signStatement(
  signer: Signer,
  { host, kind, about, text = '', directory, nowMs = Date.now() }: StatementToSign,
): Promise<StatementRequest> {
  const signedAt = formatSignedAt(nowMs * 1000)
  const message = statementDigestMessage({ host, kind, about, directory, signedAt }, await digestOf(text, true))
  const signature = await signer.signMessage({ message })
  const signed = { wallet: signer.address, signed_at: signedAt, signature }
  return { kind, about, text, ...signed, ...(directory === undefined ? {} : { directory }) }
}

/** Claims a host for a wallet, signed by `signClaim`. Free. Rejects with what was tried and what to do. */
export async function submitClaim(client: Connection, claim: ClaimRequest): Promise<ClaimDocument> {
  return (await submit(client, claimed, PATHS.claims, claim)).document
}

/** Says something as the seller of a host, signed by `signStatement`. Free. */
export async function submitStatement(
  client: Connection,
  host: string,
  statement: StatementRequest,
): Promise<StatementPageDocument> {
  const path = fillPath(PATHS.apiStatements, { host }, encodeURIComponent)
  return (await submit(client, statementPage, path, statement)).document
}
