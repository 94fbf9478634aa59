import { z } from 'zod'
import { type AllowHosts, parseHost, type SellerHost } from '../../domain/host.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { addressOf } from '../../domain/route.ts'
import {
  type About,
  LONGEST_ABOUT,
  needsText,
  parseAbout,
  STATEMENT_KINDS,
  type StatementKind,
} from '../../domain/seller/statement.ts'
import { textFault } from '../../domain/words/text.ts'
import { bodyFault, fieldProblem } from '../bodies/body-fault.ts'
import { DIRECTORY } from '../bodies/review-body.ts'
import { parseWallet } from '../wallet.ts'

/** What a wallet signed, whatever it is about. */
export interface Signed {
  /** In the form of `parseWallet`. */
  readonly wallet: string
  readonly signature: string
  /** Not yet compared with the clock. */
  readonly signedAt: string
  readonly directory: string | null
}

/** A claim as it was sent, every field in its range. */
export interface ClaimBody extends Signed {
  readonly host: SellerHost
  /** As it was sent: the signature is over it. */
  readonly walletLine: string
}

/** A statement as it was sent, every field in its range. Nothing about it has been looked up yet. */
export interface StatementBody extends Signed {
  readonly host: SellerHost
  readonly kind: StatementKind
  /** As it was sent: the signature is over it. */
  readonly aboutLine: string
  readonly about: About
  /** Empty only where the kind says it all. */
  readonly text: string
}

const LONGEST_SIGNATURE = 15_000

const SIGNED = {
  wallet: z.string(),
  signature: z.string().min(1).max(LONGEST_SIGNATURE),
  signed_at: z.string().max(100),
  directory: z.string().regex(DIRECTORY).optional(),
}

const CLAIM = z.strictObject({ host: z.string(), ...SIGNED })
const STATEMENT = z.strictObject({
  kind: z.enum(STATEMENT_KINDS),
  about: z.string().max(LONGEST_ABOUT * 2),
  text: z.string().optional(),
  ...SIGNED,
})

const EXPECTED: Readonly<Record<string, string>> = {
  host: 'the seller host, such as api.example.com',
  kind: `one of ${STATEMENT_KINDS.join(', ')}`,
  about: 'one line that says what it is about',
  text: 'a text',
  wallet: 'an EVM address or a Solana one, with a correct checksum',
  signature: 'a text',
  signed_at: 'a UTC time such as 2026-11-14T12:34:56Z',
  directory: 'the host of the directory, such as tollbook.example',
}

function signedIn(data: z.output<z.ZodObject<typeof SIGNED>>): Signed {
  const wallet = parseWallet(data.wallet)
  if (wallet === undefined) throw fieldProblem('wallet', `must be ${EXPECTED.wallet}`)
  return { wallet, signature: data.signature, signedAt: data.signed_at, directory: data.directory ?? null }
}

/** Reads the body of a claim. Throws a `Problem` that names the first field at fault. */
export function parseClaimBody(body: unknown, allow: AllowHosts): ClaimBody {
  const reading = CLAIM.safeParse(body)
  if (!reading.success) throw bodyFault(reading.error.issues[0], body, EXPECTED)
  const host = parseHost(reading.data.host, allow)
  if (!host.ok || host.host !== reading.data.host) {
    throw fieldProblem('host', `must be ${EXPECTED.host}, as this directory writes it`)
  }
  return { ...signedIn(reading.data), host: host.host, walletLine: reading.data.wallet }
}

/** Reads the body of a statement on a host. Throws a `Problem` that names the first field at fault. */
export function parseStatementBody(body: unknown, host: SellerHost, allow: AllowHosts): StatementBody {
  const reading = STATEMENT.safeParse(body)
  if (!reading.success) throw bodyFault(reading.error.issues[0], body, EXPECTED)
  const { kind, about: aboutLine, text = '' } = reading.data
  if (reading.data.text === undefined && needsText(kind)) throw fieldProblem('text', 'is missing')
  const about = statementAbout(kind, aboutLine, host, allow)
  requireText(kind, text)
  return { ...signedIn(reading.data), host, kind, aboutLine, about, text }
}

/** What a statement is about. Throws a `Problem` where nothing can be. */
export function statementAbout(kind: StatementKind, text: string, host: SellerHost, allow: AllowHosts): About {
  const reading = parseAbout(kind, text, host, allow)
  if (!reading.ok) throw fieldProblem('about', `is not taken: ${reading.reason}`)
  requireAsListed(text, reading.about)
  return reading.about
}

/** One route in several spellings would be several things that a statement is about, none in the other's place. */
function requireAsListed(text: string, about: About): void {
  if (about.what !== 'route') return
  const { scheme, host, path } = about.address
  const address = addressOf(scheme, host, path)
  if (text.split(' ')[1] === address) return
  throw fieldProblem('about', `is not taken: the address of the route is written as it is listed, ${address}`)
}

function requireText(kind: StatementKind, text: string): void {
  if (text === '' && !needsText(kind)) return
  const fault = textFault(text)
  if (fault === undefined) return
  throw problem('invalid-text', `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`, { more: { field: 'text' } })
}
