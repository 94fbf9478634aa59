import { z } from 'zod'
import { PROOF_KINDS } from '../../domain/seller/proof.ts'
import { ABOUT_FORMS, STATEMENT_KINDS } from '../../domain/seller/words.ts'
import {
  count,
  hidden,
  host,
  href,
  line,
  logged,
  next,
  sha256,
  signature,
  signedAt,
  signedText,
  time,
  untrusted,
  wallet,
} from './values.ts'

const directory = z
  .string()
  .nullable()
  .describe('The directory that it was signed for; null: the lines name none, so they are good for any')
const kind = z.enum(STATEMENT_KINDS).describe('What is said')
const about = z
  .string()
  .min(1)
  .describe(STATEMENT_KINDS.map((name) => `${name}: ${ABOUT_FORMS[name]}`).join('. '))

/** A wallet that proved to speak for a host, and what proved it. */
export const claim = z.object({
  host,
  wallet,
  signature,
  signed_at: signedText,
  directory,
  claimed_at: time,
  message: z.string().describe('The lines that the signature is over'),
  holds: z.boolean().describe('Whether a proof holds now: the wallet may speak'),
  proofs: z
    .array(
      z.object({
        proof: z.enum(PROOF_KINDS).describe('What proves that the wallet speaks for the host'),
        line,
        since: time,
        seen: time.describe('When it was last seen to hold'),
        until: time.nullable().describe('null: it holds'),
      }),
    )
    .describe('What proves it, or did'),
  log: logged,
})

/** What a seller says: apart from all evidence, and no count changes by it. */
export const statement = z.object({
  id: z.string().describe('Id of the statement'),
  host,
  kind,
  untrusted,
  about: z.string().describe('What it is about, as it was signed'),
  text: z.string().describe('Empty when the statement is hidden, or when its kind says it all'),
  wallet,
  signature,
  signed_at: signedText,
  directory,
  submitted_at: time,
  hidden,
  href,
  log: logged,
})

/** With everything that is needed to verify it offline. */
export const statementPage = statement.extend({
  text_sha256: sha256,
  message: z.string().describe('The lines that the signature is over'),
  verify: z.string().describe('A command that checks the signature'),
  host_href: href,
})

export const retired = z.object({
  since: time,
  moved_to: host.nullable().describe('null also when the wallet that said so does not speak for that host any more'),
  statement: href.describe('The statement that says so'),
  line,
})

/** What a host view says of its seller. */
export const seller = z.object({
  label: z.string().describe('That the seller says it'),
  claims: z
    .array(claim)
    .describe(
      'Those that hold, 5 at most, the newest first, else the last that did; of their proofs the first and the last of each kind',
    ),
  claims_total: count
    .optional()
    .describe(
      'With those that do not hold any more; all of them are at href. Left out by directories of earlier versions',
    ),
  retired: retired.nullable().describe('The host as a whole; null: it is sold'),
  statements: z
    .array(statement)
    .describe('About the host itself, the newest of each kind, and what other wallets that speak now say otherwise'),
  href: href.describe('Everything that the seller said'),
})

export const statements = z.object({
  host,
  total: count.describe('Of the statements'),
  claims_total: count.optional().describe('Left out by directories of earlier versions'),
  claims: z.array(claim).describe('Newest first, on each page as many as the limit allows'),
  statements: z.array(statement).describe('Newest first'),
  next: next.describe('Where statements or claims go on'),
})

const signed = {
  wallet,
  signature: signature.min(1).max(15_000).describe('EIP-191, or ed25519 of a Solana wallet, over the lines to sign'),
  signed_at: signedAt,
  directory: z
    .string()
    .optional()
    .describe('Host of this directory, when the line before signed_at says `directory <host>`'),
}

/** The body of a claim. */
export const claimRequest = z.strictObject({ host, ...signed })

/** The body of a statement. */
export const statementRequest = z.strictObject({
  kind,
  about,
  text: z
    .string()
    .optional()
    .describe('At most 4,000 characters; may be empty or left out for retire, moved and probe'),
  ...signed,
})

/** Lines of a claim to sign, ready. */
export const claimMessageDocument = z.object({
  message: z.string().describe('Exactly the text to sign, without a line feed at its end'),
  signed_at: signedAt,
})

export type ClaimDocument = z.infer<typeof claim>
export type ClaimRequest = z.infer<typeof claimRequest>
export type StatementDocument = z.infer<typeof statement>
export type StatementPageDocument = z.infer<typeof statementPage>
export type StatementRequest = z.infer<typeof statementRequest>
export type StatementsDocument = z.infer<typeof statements>
