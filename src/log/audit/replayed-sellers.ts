import type { OfferKey } from '../../domain/offers/signed-offer.ts'
import { parseTimestamp } from '../../domain/time/timestamp.ts'
import type { EntryRecord } from '../../wire/log/entry.ts'
import { readJwk } from '../../wire/offers/did.ts'
import { decides } from './figures/retired.ts'
import { States } from './states.ts'

/** A record as it was said, and every place at which it was said. */
export interface Said {
  readonly places: number[]
  readonly records: States<EntryRecord>
}

/** Something whose words can be taken from every page. */
export interface SaidWords {
  readonly places: number[]
  readonly record: EntryRecord
  /** When and why they were taken away; `null` while they stand. */
  readonly hidden: States<unknown>
}

/** What a host's seller claimed, said and signed, as the log alone gives it. */
export class SellerReplay {
  /** By their signatures. */
  readonly claims = new Map<unknown, Said>()
  readonly statements = new Map<unknown, SaidWords>()
  /** By their routes, and the SHA-256 of what was signed. */
  readonly offers = new Map<string, Map<unknown, Said>>()
  readonly #keys = new Map<string, EntryRecord>()
  /** What the keys were before each that was said since. */
  readonly #keysBefore: OfferKey[][] = []
  /** What was said of what is sold before each that was said, or withdrawn, since. */
  readonly #saidBefore: EntryRecord[][] = []

  constructor(readonly since: number) {}

  claim(record: EntryRecord, index: number): void {
    this.#say(this.claims, record.signature, record, index)
  }

  statement(record: EntryRecord, index: number): void {
    const known = this.statements.get(record.id)
    if (known === undefined) {
      this.#says(index)
      const hidden = new States<unknown>(record.hidden)
      this.statements.set(record.id, { record, places: [index], hidden })
    } else known.places.push(index)
  }

  withdrawn({ id, at, reason }: EntryRecord, index: number): void {
    this.#says(index)
    this.statements.get(id)?.hidden.add({ at, reason }, index >= this.since)
  }

  /** The statements that stand and say what is sold and what is not, at every place since. */
  get said(): readonly (readonly EntryRecord[])[] {
    return [...this.#saidBefore, this.#saidNow()]
  }

  #says(index: number): void {
    if (index >= this.since) this.#saidBefore.push(this.#saidNow())
  }

  #saidNow(): EntryRecord[] {
    const standing = [...this.statements.values()].filter(({ hidden }) => (hidden.last ?? null) === null)
    return standing.map(({ record }) => record).filter(decides)
  }

  offer(route: string, record: EntryRecord, index: number): void {
    this.#say(within(this.offers, route), record.offer_sha256, record, index)
  }

  /** A key is said when it begins and when it ends. */
  key(record: EntryRecord, index: number): void {
    if (index >= this.since) this.#keysBefore.push(this.#keysNow())
    this.#keys.set(`${record.kid}\n${JSON.stringify(record.jwk)}\n${record.first_observed}`, record)
  }

  /** All of them, at every place since. */
  get keys(): readonly (readonly OfferKey[])[] {
    return [...this.#keysBefore, this.#keysNow()]
  }

  #keysNow(): OfferKey[] {
    return [...this.#keys.values()].flatMap(({ kid, jwk, first_observed, last_observed, gone }) => {
      const [key, firstUs, lastUs] = [readJwk(jwk), timeIn(first_observed), timeIn(last_observed)]
      if (typeof kid !== 'string' || key === undefined || firstUs === undefined || lastUs === undefined) return []
      return [{ kid, jwk: key, firstUs, lastUs, goneUs: timeIn(gone) ?? null }]
    })
  }

  #say<K>(all: Map<K, Said>, key: K, record: EntryRecord, index: number): void {
    const known = all.get(key)
    if (known === undefined) all.set(key, { records: new States(record), places: [index] })
    else {
      known.records.add(record, index >= this.since)
      known.places.push(index)
    }
  }
}

/** What a route has of something, by its own keys. */
export function within<K, V>(all: Map<string, Map<K, V>>, route: string): Map<K, V> {
  const known = all.get(route)
  if (known !== undefined) return known
  const fresh = new Map<K, V>()
  all.set(route, fresh)
  return fresh
}

const timeIn = (value: unknown): number | undefined => (typeof value === 'string' ? parseTimestamp(value) : undefined)
