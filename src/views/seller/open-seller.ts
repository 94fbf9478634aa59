import { holdsNow, keptSpans } from '../../domain/seller/proof.ts'
import type { Retirement } from '../../domain/seller/statement.ts'
import { walletKey } from '../../domain/wallet.ts'
import { withoutHidden } from '../../domain/words/hidden.ts'
import { findHostId } from '../../store/host-id.ts'
import type { Reader } from '../../store/schema.ts'
import { countClaims, isClaimed, readClaim, readSpeaking } from '../../store/sellers/read-claims.ts'
import { readStanding, readStatement } from '../../store/sellers/read-statements.ts'
import { readRetirements } from '../../store/sellers/retirements.ts'
import type { PlacedStatement } from '../../store/sellers/statement-rows.ts'
import type { Store } from '../../store/store.ts'
import { statementDigestMessage } from '../../wire/sellers/lines.ts'
import { textDigest } from '../../wire/signed-lines.ts'
import type { PostView, ReviewView, RouteView } from '../host/host-view.ts'
import {
  type ClaimView,
  NO_SELLER,
  type RetiredView,
  type SellerPart,
  type StatementPage,
  type StatementView,
} from './seller-view.ts'

/** However many wallets a seller has, they take no room from what others say. */
const CLAIMS_SHOWN = 5

/** What was read of one host's seller, and puts it beside what it is about. */
export class Seller {
  constructor(
    private readonly claims: readonly ClaimView[] = [],
    private readonly claimsTotal = 0,
    private readonly standing: readonly PlacedStatement[] = [],
    private readonly retirements: readonly (Retirement & RetiredView)[] = [],
  ) {}

  part(): SellerPart {
    if (this.claims.length === 0) return NO_SELLER
    const said = this.standing.filter((one) => one.routeId === null && one.kind !== 'reply' && this.#isCurrent(one))
    const { claims, claimsTotal } = this
    return { claims, claimsTotal, retired: this.#retired(null), said: said.map(viewOf) }
  }

  route(view: RouteView, routeId: number): RouteView {
    if (this.claims.length === 0) return view
    const reviews = view.reviews.map((review) => this.review(review))
    const said = this.standing.filter((one) => one.routeId === routeId && this.#isCurrent(one)).map(viewOf)
    const retired = this.#retired(routeId) ?? this.#retired(null)
    return { ...view, reviews, said, retired }
  }

  review<T extends ReviewView>(view: T): T {
    return this.claims.length === 0 ? view : { ...view, reply: this.#reply(`review ${view.id}`) }
  }

  post<T extends PostView>(view: T): T {
    return this.claims.length === 0 ? view : { ...view, reply: this.#reply(`post ${view.id}`) }
  }

  #reply(about: string): StatementView | null {
    const reply = this.standing.find((one) => one.kind === 'reply' && one.about === about)
    return reply === undefined ? null : viewOf(reply)
  }

  /**
   * What was retired once and is sold again is history, on the page of everything that was said. So is what a newer one says,
   * unless another wallet that speaks now says otherwise.
   */
  #isCurrent(said: PlacedStatement): boolean {
    const { kind, about, id, text } = said
    if (kind === 'retire' || kind === 'moved') return this.retirements.some((one) => one.statementId === id)
    const same = this.standing.filter((one) => one.kind === kind && one.about === about)
    const [newest = said] = same
    if (newest === said) return true
    const key = walletKey(said.wallet)
    const isOwnNewest = same.find(({ wallet }) => walletKey(wallet) === key) === said
    const speaks = this.claims.some(({ wallet, proofs }) => walletKey(wallet) === key && holdsNow(proofs).length > 0)
    return isOwnNewest && speaks && text !== newest.text
  }

  #retired(routeId: number | null): RetiredView | null {
    const found = this.retirements.find((one) => one.routeId === routeId)
    if (found === undefined) return null
    const { routeId: _, ...retired } = found
    return retired
  }
}

/** Of hosts for which nobody speaks. */
export const SILENT = new Seller()

/** Few hosts have one who speaks: of the others it costs one look. */
export async function sellerOf(store: Store, hostId: number): Promise<Seller> {
  if (!(await isClaimed(store, hostId))) return SILENT
  const { read } = store
  const claims = await readSpeaking(read, hostId, CLAIMS_SHOWN)
  if (claims.length === 0) return SILENT
  const [total, standing, retirements] = await Promise.all([
    countClaims(read, hostId),
    readStanding(read, hostId),
    readRetirements(read, hostId),
  ])
  // The list of a host's claims has all that is kept of each.
  const shown = claims.map((claim) => ({ ...claim, proofs: keptSpans(claim.proofs, 0) }))
  return new Seller(shown, total, standing, await Promise.all(retirements.map((one) => withMove(read, hostId, one))))
}

/** A host leads to another only while the same wallet speaks for that one, too. */
export async function withMove<T extends RetiredView>(read: Reader, hostId: number, retirement: T): Promise<T> {
  const { movedTo, statementId } = retirement
  if (movedTo === null) return retirement
  const [newId, said] = await Promise.all([findHostId(read, movedTo), readStatement(read, statementId, hostId)])
  const claim = newId === undefined || said === undefined ? undefined : await readClaim(read, newId, said.wallet)
  const isProven = claim !== undefined && holdsNow(claim.proofs).length > 0
  return isProven ? retirement : { ...retirement, movedTo: null, isMoveLost: true }
}

export const viewOf = ({ routeId: _, ...said }: PlacedStatement): StatementView => withoutHidden(said)

export async function statementPageOf(store: Store, id: string): Promise<StatementPage | undefined> {
  const found = await readStatement(store.read, id)
  return found && pageOfStatement(found)
}

export function pageOfStatement(statement: PlacedStatement): StatementPage {
  const textSha256 = textDigest(statement.text)
  return { statement: viewOf(statement), textSha256, message: statementDigestMessage(statement, textSha256) }
}
