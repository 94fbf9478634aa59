import type { AllowHosts, SellerHost } from '../../domain/host.ts'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { ASKED_EVERY_US, holdsNow, type Look, OWNERSHIP_PATH, PROOF_PATH } from '../../domain/seller/proof.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { Signatures } from '../../payment/signatures.ts'
import { findHostId } from '../../store/host-id.ts'
import { nearHosts } from '../../store/search/near-hosts.ts'
import { saveClaim, saveLooks } from '../../store/sellers/claims.ts'
import { readClaim, readClaims } from '../../store/sellers/read-claims.ts'
import type { Store } from '../../store/store.ts'
import { PATHS } from '../../wire/paths.ts'
import { parseClaimBody } from '../../wire/sellers/body.ts'
import { claimMessage } from '../../wire/sellers/lines.ts'
import { unknownHost } from '../../wire/unknown-host.ts'
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
    throw claimUnproven(body, looks, nowUs())
  }
  if (holdsNow(known?.proofs ?? []).length === 0) await requireRoom(deps, hostId, host, looks)
  gate.seller(host)
  const isNew = await saveClaim(store, { hostId, wallet, walletLine, signature, signedAt, directory }, looks, nowUs())
  const claim = await readClaim(store.read, hostId, wallet)
  if (claim === undefined) throw new Error('a claim that was just stored is not there')
  return { claim: { ...claim, host }, isNew }
}

/** Files are not asked for again at once: it says when they were read, or a seller takes an old answer for what is there now. */
function claimUnproven({ host, wallet }: Pick<Looked, 'host' | 'wallet'>, looks: readonly Look[], nowUs: TimestampUs) {
  const toDo = looks.map((look) => look.toDo).join(' Or: ')
  const readUs = Math.max(...looks.map((look) => look.readUs ?? 0))
  const seconds = Math.max(1, Math.ceil((readUs + ASKED_EVERY_US - nowUs) / 1_000_000))
  return problem('claim-unproven', `Nothing proves that ${host} is ${wallet}'s. ${foundIn(looks)}`, {
    hint: `Do one of these: ${toDo} Then sign and send a new claim, from ${seconds} s on: the files were read at ${formatTimestamp(readUs)}, and are read once a minute.`,
    more: { host, wallet, tried: triedIn(looks) },
    headers: { 'Retry-After': String(seconds) },
  })
}

/** By what a host itself serves, or as its payees: so many wallets of each may begin to speak for it. */
const MOST_SPEAKING = 20

/**
 * Throws a `Problem` where too many wallets speak for the host already. Those of payees take no room from those that the host
 * itself names, and these are looked at again first: whoever runs the host now makes room by what it serves now.
 */
async function requireRoom(
  { store, look, nowUs }: ClaimDeps,
  hostId: number,
  host: SellerHost,
  looks: readonly Look[],
): Promise<void> {
  const isNamed = looks.some(({ proof, holds }) => holds === 'yes' && proof !== 'payee')
  const speaking = async () =>
    (await readClaims(store.read, hostId)).filter(({ proofs }) =>
      holdsNow(proofs).some((kind) => (kind !== 'payee') === isNamed),
    )
  const before = await speaking()
  if (before.length < MOST_SPEAKING) return
  for (const { wallet } of before.slice(0, MOST_SPEAKING))
    await saveLooks(store, { hostId, wallet }, await look({ hostId, host, wallet }), nowUs())
  const { length } = await speaking()
  if (length < MOST_SPEAKING) return
  const sort = isNamed ? 'by what it serves itself' : 'as its payees'
  throw problem('too-many-claims', `${length} wallets speak for ${host} ${sort}, and ${MOST_SPEAKING} may.`, {
    hint: isNamed
      ? `Take one of them out of ${OWNERSHIP_PATH} or ${PROOF_PATH} of the host, then sign and send a new claim.`
      : `Name the wallet in ${PROOF_PATH} of the host instead, then sign and send a new claim.`,
    more: { host },
  })
}

export async function requireHostId(store: Store, host: SellerHost): Promise<number> {
  const hostId = await findHostId(store.read, host)
  if (hostId !== undefined) return hostId
  throw unknownHost(host, await nearHosts(store, host))
}

const foundIn = (looks: readonly Look[]): string => looks.map(({ found }) => found).join(' ')

const triedIn = (looks: readonly Look[]) => looks.map(({ proof, found, toDo }) => ({ proof, found, to_do: toDo }))

/** A wallet that wants to speak for a host and has no proof that holds. */
export const unproven = (host: SellerHost, wallet: string, looks: readonly Look[]): Problem =>
  looks.length === 0
    ? problem('seller-unproven', `${wallet} has not proved to speak for ${host}.`, {
        hint: `Sign the lines of ${PATHS.claimMessage} and send them to ${PATHS.claims} first; the answer says what proves it.`,
        more: { host, wallet, tried: [] },
      })
    : problem('seller-unproven', `The proof that ${host} is ${wallet}'s does not hold any more. ${foundIn(looks)}`, {
        hint: `Do one of these: ${looks.map(({ toDo }) => toDo).join(' Or: ')}`,
        more: { host, wallet, tried: triedIn(looks) },
      })
