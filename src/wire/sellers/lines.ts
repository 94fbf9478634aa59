import type { SellerHost } from '../../domain/host.ts'
import type { StatementKind } from '../../domain/seller/words.ts'

/** Before the last line there may be one that makes the signature good for one directory alone. */
const forDirectory = (directory: string | null | undefined): string[] =>
  directory == null ? [] : [`directory ${directory}`]

export interface ClaimLines {
  readonly host: SellerHost
  /** As it was sent, character for character. */
  readonly wallet: string
  readonly directory?: string | null | undefined
  readonly signedAt: string
}

/** The four lines that a claim's wallet signs, or five with its directory. */
export const claimMessage = ({ host, wallet, directory, signedAt }: ClaimLines): string =>
  ['claim', host, wallet, ...forDirectory(directory), signedAt].join('\n')

export interface StatementLines {
  readonly host: SellerHost
  readonly kind: StatementKind
  /** As it was sent, character for character. */
  readonly about: string
  readonly directory?: string | null | undefined
  readonly signedAt: string
}

/** The six lines that a statement's wallet signs, or seven with its directory, for a text of which only the digest is known. */
export const statementDigestMessage = (
  { host, kind, about, directory, signedAt }: StatementLines,
  digest: string,
): string => ['statement', host, kind, about, digest, ...forDirectory(directory), signedAt].join('\n')
