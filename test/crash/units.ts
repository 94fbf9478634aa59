import { addressOf } from '../../src/domain/route.ts'
import { statementId } from '../../src/domain/seller/statement.ts'
import { formatTimestamp } from '../../src/domain/time/timestamp.ts'
import type { WrittenRecord } from '../../src/wire/records.ts'
import { statementDigestMessage } from '../../src/wire/sellers/lines.ts'
import { textDigest } from '../../src/wire/signed-lines.ts'

/**
 * The work of the crash tests: numbered units, each saved in one transaction and told from all others by every one of
 * its records. Units from `FIRST_APPENDED` are appended; those below stand in files, `UNITS_A_FILE` in each.
 */
const FIRST_APPENDED = 1_000_000
const APPENDED_RECORDS = 25
/** As many as an import saves in one transaction. */
export const IMPORTED_RECORDS = 2000
export const UNITS_A_FILE = 3

export const isAppended = (unit: number): boolean => unit >= FIRST_APPENDED

/** Where a program goes on that was killed: an append with the next unit, an import with the file that holds it. */
export function nextUnits(kept: ReadonlySet<number>): { appendFrom: number; importFrom: number } {
  const firstMissing = (from: number): number => {
    let unit = from
    while (kept.has(unit)) unit++
    return unit
  }
  const imported = firstMissing(0)
  return { appendFrom: firstMissing(FIRST_APPENDED), importFrom: imported - (imported % UNITS_A_FILE) }
}

/** 2026-11-14T12:00:00.000000Z */
const NOON_US = Date.UTC(2026, 10, 14, 12) * 1000
const MOST_RECORDS = 10_000
const HOSTS = 6
const PATHS = 3
const WALLET = '0x1111111111111111111111111111111111111111'

export const sizeOf = (unit: number): number => (isAppended(unit) ? APPENDED_RECORDS : IMPORTED_RECORDS)

/** The records of a unit as an export writes them. */
export const recordsOf = (unit: number): WrittenRecord[] =>
  Array.from({ length: sizeOf(unit) }, (_, index) => recordOf(unit, index))

export const linesOf = (unit: number): string[] => recordsOf(unit).map((record) => JSON.stringify(record))

/** The unit that a record is named after. */
export function unitOf(text: string): number {
  const [, unit] = /\bunit (\d+)/.exec(text) ?? []
  if (unit === undefined) throw new Error(`not of any unit: ${text}`)
  return Number(unit)
}

function recordOf(unit: number, index: number): WrittenRecord {
  const host = `h${index % HOSTS}.crash.example`
  const name = `unit ${unit}`
  const date = formatTimestamp(NOON_US + unit * MOST_RECORDS + index)
  const route = { method: 'GET', url: addressOf('https', host, `/${index % PATHS}`), rail: 'x402' } as const
  const observed = { first_observed: date, last_observed: date }
  const signed = { wallet: WALLET, signature: '0x22', signed_at: '2026-11-14T12:00:00Z' }
  const payment = { network: 'base', transaction: `0x${unit}` }
  switch (index) {
    case 0:
      return {
        kind: 'listing',
        source: name,
        ...route,
        price: '0.010000',
        network: 'base',
        label: 'directory-observed',
        ...observed,
      }
    case 1:
      return { kind: 'payee', ...route, network: 'base', payee: name, asset: null, origin: 'listing', ...observed }
    case 2:
      return {
        kind: 'review',
        id: name,
        ...route,
        rating: 5,
        text: 'As described.',
        level: 'Signed',
        level_reason: null,
        excluded: null,
        superseded: false,
        ...signed,
        // A wallet's newer review of a route counts instead of its older one: here every review has its own.
        wallet: name,
        payment,
        payment_found: null,
        outcome: { http_status: 500, latency_ms: 1, bytes: null, content_sha256: null },
        directory: null,
        receipt: null,
        submitted_at: date,
      }
    case 3:
      return {
        kind: 'post',
        id: name,
        host,
        text: 'Does it keep its limits?',
        ...signed,
        posted_at: date,
        rail: 'x402',
        payment: { ...payment, payer: WALLET },
        hidden: null,
      }
    case 5:
      return {
        ...{ kind: 'claim', host, wallet: name, signature: '0x22', signed_at: signed.signed_at, directory: null },
        ...{ claimed_at: date, proofs: [{ proof: 'file', since: date, seen: date, until: null }] },
      }
    case 6:
      return statementOf(host, name, date)
    case 4:
      return { kind: 'event', host, event: 'noted', date, route, data: { name } }
    default:
      return {
        kind: 'probe',
        ...route,
        date,
        http_status: [200, 402, 404, null][index % 4] ?? null,
        latency_ms: (unit + index) % 500,
        error: name,
        ...(index % 5 === 0 ? { challenge: challengeOf(unit) } : {}),
      }
  }
}

const challengeOf = (unit: number) => ({
  offers: [{ rail: 'x402' as const, network: 'base', price: unit % 2 ? '0.010000' : null, asset: null, payee: WALLET }],
  warnings: [],
})

/** Its id follows from what is signed. */
function statementOf(host: string, text: string, date: string): WrittenRecord {
  const signedAt = '2026-11-14T12:00:00Z'
  const message = statementDigestMessage({ host, kind: 'contact', about: host, signedAt }, textDigest(text))
  return {
    ...{ kind: 'statement', id: statementId(WALLET, message), host, says: 'contact', about: host, text },
    ...{ wallet: WALLET, signature: '0x22', signed_at: signedAt, directory: null, submitted_at: date, hidden: null },
  }
}
