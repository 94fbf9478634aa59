import type { SellerHost } from '../../domain/host.ts'
import { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { holdsNow, type Look } from '../../domain/seller/proof.ts'
import { statementId } from '../../domain/seller/statement.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { saveLooks } from '../../store/sellers/claims.ts'
import { readClaim } from '../../store/sellers/read-claims.ts'
import { readStatement } from '../../store/sellers/read-statements.ts'
import { PROBES_AN_HOUR, saveStatement } from '../../store/sellers/save-statements.ts'
import { parseStatementBody } from '../../wire/sellers/body.ts'
import { statementDigestMessage } from '../../wire/sellers/lines.ts'
import { textDigest } from '../../wire/signed-lines.ts'
import { checkLines } from '../check-lines.ts'
import { lateness, requireHere } from '../signed-for.ts'
import { type ClaimDeps, requireHostId, unproven } from './claim.ts'
import { type PlaceDeps, placeOf } from './place.ts'
import type { SellerGate, Stated } from './sellers.ts'

/** A proof that was seen to hold so lately is not looked at again for a statement. */
const FRESH_US = DAY_US + DAY_US / 12

/** Checks that the wallet signed, that it speaks for the host and that the statement is about something; then stores it. */
export async function submitStatement(
  deps: ClaimDeps & PlaceDeps,
  host: SellerHost,
  json: unknown,
  gate: SellerGate,
): Promise<Stated> {
  const { store, nowUs } = deps
  const body = parseStatementBody(json, host, deps.allow)
  const { kind, aboutLine: about, text, wallet, signature, signedAt, directory } = body
  requireHere('statement', directory, deps.directory())
  const hostId = await requireHostId(store, host)
  const late = lateness(body, nowUs())
  const message = statementDigestMessage({ host, kind, about, directory, signedAt }, textDigest(text))
  gate.signing()
  try {
    await checkLines(deps.signatures, wallet, message, signature)
  } catch (error) {
    // Whoever did not sign does not learn either whether it is stored.
    throw late !== null && error instanceof Problem && error.status === 401 ? late : error
  }
  const id = statementId(wallet, message)
  const known = await readStatement(store.read, id, hostId)
  // What is stored is public: whoever sends it again spends nothing of its wallet.
  if (known !== undefined) return { statement: known, isNew: false }
  if (late !== null) throw late
  gate.signed(wallet)
  await requireProven(deps, hostId, host, wallet)
  const routeId = await placeOf(deps, hostId, body)
  gate.seller(host)
  const said = { host, id, kind, about, routeId, text, wallet, signature, signedAt, directory, hidden: null }
  const taken = await saveStatement(store, hostId, { ...said, submittedUs: nowUs() }, nowUs())
  if (taken === 'unproven') throw unproven(host, wallet, [])
  if (taken === 'too_often') throw tooOften(about)
  const statement = await readStatement(store.read, id, hostId)
  if (statement === undefined) throw new Error('a statement that was just stored is not there')
  return { statement, isNew: taken === 'new' }
}

/** The wallet's claim holds, as of a look of the last day; an older one is looked at again first. */
async function requireProven(deps: ClaimDeps, hostId: number, host: SellerHost, wallet: string): Promise<void> {
  const { store, nowUs } = deps
  const claim = await readClaim(store.read, hostId, wallet)
  if (claim === undefined) throw unproven(host, wallet, [])
  const isFresh = claim.proofs.some(({ untilUs, seenUs }) => untilUs === null && seenUs > nowUs() - FRESH_US)
  if (isFresh) return
  const looks: readonly Look[] = await deps.look({ hostId, host, wallet })
  await saveLooks(store, { hostId, wallet }, looks, nowUs())
  const after = await readClaim(store.read, hostId, wallet)
  if (holdsNow(after?.proofs ?? []).length === 0) throw unproven(host, wallet, looks)
}

const tooOften = (about: string): Problem =>
  problem('rate-limited', `More than ${PROBES_AN_HOUR} probes of ${about} were asked for within an hour.`, {
    hint: 'Ask again within the hour; it is probed by itself too.',
    headers: { 'Retry-After': '600' },
  })
