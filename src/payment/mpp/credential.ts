import { Credential as Wire } from 'mppx'
import { type Hex, isHex, keccak256 } from 'viem'
import { Transaction } from 'viem/tempo'
import { z } from 'zod'
import type { Problem } from '../../domain/problem.ts'
import { LATEST_US, parseTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import { parseWallet } from '../../wire/wallet.ts'
import type { Credential, PaidRequest, Unfit } from '../rail.ts'
import { malformed } from './problems.ts'
import { unfit } from './refusals.ts'

/** A Payment credential in pull mode, taken apart. Everything in it is the sender's word. */
export interface Pull {
  /** As mppx reads it. */
  readonly credential: Wire.Credential
  /** The hash under which the chain will know the transaction, lower case. */
  readonly hash: string
  /** Who signed the transaction; the credential's `source` is anybody's claim and never read. */
  readonly payer: string
  readonly transaction: {
    readonly chainId: number
    readonly validBeforeUs: TimestampUs
    readonly validAfterUs: TimestampUs
    readonly calls: readonly { readonly to: string; readonly data: Hex }[]
  }
  readonly challenge: {
    readonly chainId: number
    readonly currency: string
    readonly recipient: string
    readonly amount: string
    readonly expiresUs: TimestampUs
  }
}

export type Reading =
  | { readonly kind: 'none' }
  | { readonly kind: 'pull'; readonly pull: Pull }
  /** `code` is the last word of a problem type of the Payment scheme. */
  | { readonly kind: 'unreadable'; readonly code: 'malformed-credential' | 'method-unsupported' | 'invalid-payload' }

const request = z.object({
  amount: z.string().regex(/^(0|[1-9]\d{0,77})$/),
  currency: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  recipient: z.string(),
  methodDetails: z.object({ chainId: z.int().positive() }),
})

const payload = z.object({ type: z.literal('transaction'), signature: z.string().regex(/^0x7[68][0-9a-fA-F]+$/) })

/** Seconds since 1970, so that they can be told in microseconds. */
const seconds = z
  .int()
  .nonnegative()
  .max(Math.floor(LATEST_US / 1e6))

const signedForm = z.object({
  chainId: z.int().positive(),
  from: z.string(),
  // Its own type keeps nonces as numbers: beyond these the hash would be of another transaction.
  nonce: z.int().nonnegative().optional(),
  validBefore: seconds,
  validAfter: seconds.optional(),
  calls: z.array(z.object({ to: z.string().default(''), data: z.custom<Hex>(isHex).default('0x') })),
})

/** The credential of a request, if it has one. Rejects, with what `refuse` says, when it cannot be read. */
export async function credentialIn(
  request: PaidRequest,
  refuse: (fault: Unfit) => Promise<Problem>,
): Promise<Credential | undefined> {
  const header = request.header('authorization')
  const reading = await readCredential(header)
  if (header === undefined || reading.kind === 'none') return undefined
  if (reading.kind === 'pull') return credentialOf(reading.pull, hold(header, request))
  const fault = unfit(reading.code)
  // The scheme answers a method that is not offered with 400, everything else with a fresh demand.
  throw reading.code === 'method-unsupported' ? malformed(fault) : await refuse(fault)
}

const credentialOf = ({ hash, payer, transaction, challenge }: Pull, raw: string): Credential => ({
  key: hash,
  network: `tempo:${challenge.chainId}`,
  asset: challenge.currency,
  payer,
  payee: challenge.recipient,
  amount: challenge.amount,
  expiresUs: transaction.validBeforeUs,
  identifier: null,
  raw,
})

/** Reads the value of an `Authorization` header. */
export async function readCredential(header: string | undefined): Promise<Reading> {
  if (header === undefined || !/(^|,)\s*payment(\s|$)/i.test(header)) return { kind: 'none' }
  const value = Wire.extractPaymentScheme(header)
  const credential = value === null ? undefined : attempt(() => Wire.deserialize(value))
  if (credential === undefined) return { kind: 'unreadable', code: 'malformed-credential' }
  const { method, intent } = credential.challenge
  if (method !== 'tempo' || intent !== 'charge') return { kind: 'unreadable', code: 'method-unsupported' }
  const asked = request.safeParse(credential.challenge.request)
  const recipient = asked.success ? parseWallet(asked.data.recipient) : undefined
  const expiresUs = parseTimestamp(credential.challenge.expires ?? '')
  if (!asked.success || recipient === undefined || expiresUs === undefined)
    return { kind: 'unreadable', code: 'malformed-credential' }
  const signed = await readTransaction(credential.payload)
  if (signed === undefined) return { kind: 'unreadable', code: 'invalid-payload' }
  const { amount, currency, methodDetails } = asked.data
  const challenge = { chainId: methodDetails.chainId, currency, recipient, amount, expiresUs }
  return { kind: 'pull', pull: { credential, challenge, ...signed } }
}

async function readTransaction(sent: unknown): Promise<Pick<Pull, 'hash' | 'payer' | 'transaction'> | undefined> {
  const held = payload.safeParse(sent)
  if (!held.success || !isHex(held.data.signature)) return undefined
  const { signature } = held.data
  try {
    const whole = Transaction.deserialize(signature)
    const read = signedForm.safeParse(whole)
    const payer = read.success ? parseWallet(read.data.from) : undefined
    if (!read.success || payer === undefined) return undefined
    // One transaction can be written in several ways; the chain hashes this one.
    const hash = keccak256(await Transaction.serialize(whole)).toLowerCase()
    const { chainId, validBefore, validAfter = 0, calls } = read.data
    const transaction = { chainId, validBeforeUs: validBefore * 1e6, validAfterUs: validAfter * 1e6, calls }
    return { hash, payer, transaction }
  } catch {
    return undefined
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** What settling needs: the credential as it came, and the request that it was checked for. */
const held = z.strictObject({ authorization: z.string(), host: z.string(), body: z.string() })
export type Held = z.infer<typeof held>

const hold = (authorization: string, { host, bodyDigest }: PaidRequest): string =>
  JSON.stringify({ authorization, host, body: bodyDigest } satisfies Held)

/** What `raw` holds; `undefined` when there is nothing to settle with. */
export const heldIn = (raw: string | null): Held | undefined =>
  raw === null ? undefined : attempt(() => held.parse(JSON.parse(raw)))
