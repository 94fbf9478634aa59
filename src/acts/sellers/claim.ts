import type { AllowHosts, SellerHost } from '../../domain/host.ts'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { holdsNow, type Look } from '../../domain/seller/proof.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Signatures } from '../../payment/signatures.ts'
import { findHostId } from '../../store/host-id.ts'
import { saveClaim, saveLooks } from '../../store/sellers/claims.ts'
import { readClaim } from '../../store/sellers/read-claims.ts'
import type { Store } from '../../store/store.ts'
import { PATHS } from '../../wire/paths.ts'
import { parseClaimBody } from '../../wire/sellers/body.ts'
import { claimMessage } from '../../wire/sellers/lines.ts'
import { checkLines } from '../check-lines.ts'
import { lateness, requireHere } from '../signed-for.ts'
import type { Looked } from './look.ts'
import type { Claimed, SellerGate } from './sellers.ts'

export interface ClaimDeps {
  readonly store: Store
  readonly signatures: Signatures
  readonly allow: AllowHosts
  readonly nowUs: () => TimestampUs
  /** What this directory is called in signed lines; asked each time, because its port may be known late. */
  readonly directory: () => string
  readonly look: (looked: Looked) => Promise<readonly Look[]>
}

/** Checks that the wallet signed, then that the host is its own; only what was proven is stored. */
export async function submitClaim(deps: ClaimDeps, json: unknown, gate: SellerGate): Promise<Claimed> {
  const { store, nowUs } = deps
  const { walletLine, ...body } = parseClaimBody(json, deps.allow)
  const { host, wallet, signature, signedAt, directory } = body
  requireHere('claim', directory, deps.directory())
  const late = lateness(body, nowUs())
  if (late !== null) throw late
  const hostId = await requireHostId(store, host)
  gate.signing()
  const message = claimMessage({ host, wallet: walletLine, directory, signedAt })
  await checkLines(deps.signatures, wallet, message, signature)
  const known = await readClaim(store.read, hostId, wallet)
  // What is stored is public: whoever sends it again spends nothing of its wallet, and nobody looks again.
  if (known?.signedAt === signedAt && known.directory === directory && holdsNow(known.proofs).length > 0) {
    return { claim: { ...known, host }, isNew: false }
  }
  gate.signed(wallet)
  const looks = await deps.look({ hostId, host, wallet })
  if (!looks.some(({ holds }) => holds === 'yes')) {
    await saveLooks(store, { hostId, wallet }, looks, nowUs())
    throw problem('claim-unproven', `Nothing proves that ${host} is ${wallet}'s. ${foundIn(looks)}`, {
      hint: `Do one of these: ${looks.map(({ toDo }) => toDo).join(' Or: ')} Then sign and send a new claim.`,
      more: { host, wallet, tried: triedIn(looks) },
    })
  }
  gate.seller(host)
  const isNew = await saveClaim(store, { hostId, wallet, walletLine, signature, signedAt, directory }, looks, nowUs())
  const claim = await readClaim(store.read, hostId, wallet)
  if (claim === undefined) throw new Error('a claim that was just stored is not there')
  return { claim: { ...claim, host }, isNew }
}

export async function requireHostId(store: Store, host: SellerHost): Promise<number> {
  const hostId = await findHostId(store.read, host)
  if (hostId !== undefined) return hostId
  throw problem('unknown-host', `No listing source has named the host ${host}.`, { more: { host } })
}

const foundIn = (looks: readonly Look[]): string => looks.map(({ found }) => found).join(' ')

const triedIn = (looks: readonly Look[]) => looks.map(({ proof, found, toDo }) => ({ proof, found, to_do: toDo }))

/** A wallet that wants to speak for a host and has no proof that holds. */
export const unproven = (host: SellerHost, wallet: string, looks: readonly Look[]): Problem =>
  looks.length === 0
    ? problem('seller-unproven', `${wallet} has not proved to speak for ${host}.`, {
        hint: `Send a signed claim to ${PATHS.claims} first; the answer says what proves it.`,
        more: { host, wallet, tried: [] },
      })
    : problem('seller-unproven', `The proof that ${host} is ${wallet}'s does not hold any more. ${foundIn(looks)}`, {
        hint: `Do one of these: ${looks.map(({ toDo }) => toDo).join(' Or: ')}`,
        more: { host, wallet, tried: triedIn(looks) },
      })
