import type { OfferKey } from '../../domain/offers/signed-offer.ts'
import { parseTimestamp } from '../../domain/time/timestamp.ts'
import { jsonSha256 } from '../../wire/log/logged-record.ts'
import { checkOffer } from '../../wire/offers/check-offer.ts'
import { readSignedOffer } from '../../wire/offers/read-offers.ts'
import { fillPath, PATHS } from '../../wire/paths.ts'
import { proofsIn } from './proofs.ts'
import type { Said, SellerReplay } from './replayed-sellers.ts'
import { type Differences, type Documents, listIn, pagesOf, type Shown } from './shown.ts'
import { sameWords } from './words.ts'

const CLAIM = ['signed_at', 'directory', 'claimed_at']
const STATEMENT = ['about', 'wallet', 'signature', 'signed_at', 'directory', 'submitted_at']
/** Of one route a directory shows so many offers: where there are more, the log does not say which. */
const OFFERS_SHOWN = 8

/** Holds what is shown of a host's claims and statements against what the log gives. */
export async function compareSeller(documents: Documents, replay: SellerReplay, found: Differences): Promise<void> {
  const claims = new Set(replay.claims.keys())
  const statements = new Set(replay.statements.keys())
  for await (const document of pagesOf(documents, fillPath(PATHS.apiStatements, { host: found.host }))) {
    for (const claim of listIn(document, 'claims')) compareClaim(claim, replay, found, claims)
    for (const statement of listIn(document, 'statements')) compareStatement(statement, replay, found, statements)
  }
  for (const signature of claims) {
    const { records, places } = replay.claims.get(signature) ?? {}
    found.notShown(`claim of ${records?.last?.wallet}`, places?.[0])
  }
  for (const id of statements) found.notShown(`statement ${id}`, replay.statements.get(id)?.places[0])
}

function compareClaim(claim: Shown, replay: SellerReplay, found: Differences, left: Set<unknown>): void {
  const what = `claim of ${claim.wallet}`
  const logged = replay.claims.get(claim.signature)
  left.delete(claim.signature)
  if (logged === undefined) {
    found.notLogged(what)
    return
  }
  found.sameAsOne(logged.records.all, (record, within) => {
    within.same(`${what}: wallet`, String(claim.wallet).toLowerCase(), String(record.wallet).toLowerCase())
    within.sameMembers(what, claim, record, CLAIM)
    within.same(`${what}: proofs`, proofsIn(claim), proofsIn(record))
  })
  found.samePlace(what, claim, logged.places)
}

function compareStatement(shown: Shown, replay: SellerReplay, found: Differences, left: Set<unknown>): void {
  const what = `statement ${shown.id}`
  const logged = replay.statements.get(shown.id)
  left.delete(shown.id)
  if (logged === undefined) {
    found.notLogged(what)
    return
  }
  found.same(`${what}: kind`, shown.kind, logged.record.says)
  found.sameMembers(what, shown, logged.record, STATEMENT)
  sameWords(what, shown, logged, found)
}

/** Holds the signed offers that are shown of a route against those that the log has, and whose they are against its keys. */
export function compareOffers(name: string, route: Shown, replay: SellerReplay, found: Differences): void {
  const ofRoute: ReadonlyMap<unknown, Said> = replay.offers.get(name) ?? new Map()
  const left = new Set(ofRoute.keys())
  for (const shown of listIn(route, 'signed_offers')) {
    const key = jsonSha256(shown.offer)
    const what = `${name}: ${shown.line}`
    const logged = ofRoute.get(key)
    left.delete(key)
    if (logged === undefined) {
      found.notLogged(what)
      continue
    }
    found.sameAsOne(logged.records.all, ({ first_observed, last_observed }, within) => {
      within.same(`${what}: first seen`, shown.first_seen, first_observed)
      // It is said once, and seen again later.
      if (String(shown.last_seen) < String(last_observed))
        within.same(`${what}: last seen`, shown.last_seen, last_observed)
      within.sameAsOne(replay.keys, (keys, inner) =>
        inner.same(`${what}: authorised by`, shown.authorised_by, authorityOf(shown, first_observed, keys)),
      )
    })
    found.samePlace(what, shown, logged.places)
  }
  if (ofRoute.size > OFFERS_SHOWN) return
  for (const sha256 of left) found.notShown(`${name}: signed offer ${sha256}`, ofRoute.get(sha256)?.places[0])
}

function authorityOf(shown: Shown, first: unknown, keys: readonly OfferKey[]): string | null {
  const offer = readSignedOffer(shown.offer)
  const seenUs = parseTimestamp(String(first))
  if (offer === undefined || seenUs === undefined) return null
  const check = checkOffer(offer, { url: String(shown.address), seenUs, keys })
  if (check.by === null) return null
  return check.by === 'payee' ? check.wallet : check.kid
}
