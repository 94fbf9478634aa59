import type { AllowHosts } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import { addressOf } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { outcomeIn } from '../../wire/bodies/outcome-body.ts'
import { paymentFoundIn } from '../../wire/bodies/payment-found.ts'
import { sightIn } from '../../wire/bodies/sights.ts'
import { type RecordReader, recordReader } from '../../wire/records/record-reader.ts'
import type { RecordOf, TransferRecord } from '../../wire/records.ts'
import { byShard } from '../hosts/by-shard.ts'
import type { RouteRef } from '../hosts/route-ref.ts'
import { groupBy } from '../sql/group.ts'
import type { Store } from '../store.ts'
import { saveDocumentRecords } from './document-records.ts'
import type { Evidence } from './evidence.ts'
import { badLine, linesOf } from './lines.ts'
import { oneChallenge } from './one-challenge.ts'
import { savePaymentRecords } from './payment-records.ts'
import { type Saved, saveEvidence } from './save-evidence.ts'
import { claimIn, statementIn } from './seller-records.ts'
import { saveSweepRecords } from './sweep-records.ts'

/** Records saved in one transaction: few enough for a running server to write in between. */
const BATCH = 2000
/** Where hosts lie in several, a batch of each is read at once, of so many at most. */
const MOST_SHARDS = 16
/** In characters; a record is a few hundred. */
const LONGEST_LINE = 1_000_000
/** In characters, their ends included: a small compressed file may hold hundreds of millions of lines with nothing on them. */
const MOST_BLANK = 10_000_000
/** In characters: the records of so much of a file are kept once they are checked, in about as many bytes. What is after them is read again. */
const MOST_KEPT = 16_000_000

export interface ImportProgress extends Saved {
  /** `checking` reads the whole file before `saving` changes anything. */
  readonly phase: 'checking' | 'saving'
  readonly records: number
  /** Known from the check. */
  readonly total: number | null
}

const NOTHING_SAVED: Saved = { leftOut: 0, changed: 0 }

/**
 * Imports a file of records. The whole file is checked first, so that a bad line imports nothing; then it is saved in
 * batches, each durable. A run that was cut short is completed by running it again: what is there already stays once.
 * A store that says it keeps entries only from after `latestUs` on would refuse all until then.
 */
export async function importFile(
  store: Store,
  file: string,
  allow: AllowHosts,
  onProgress: (progress: ImportProgress) => void = () => undefined,
  latestUs: TimestampUs = Date.now() * 1000,
  mostKept = MOST_KEPT,
): Promise<number> {
  const read = recordReader(allow)
  const kept: CheckedLines[] = []
  let [total, keptLines, characters] = [0, 0, 0]
  for await (const checked of readRecords(file, read, latestUs)) {
    for (const _ of checked.records) {
      total++
      if (total % BATCH === 0) onProgress({ phase: 'checking', records: total, total: null, ...NOTHING_SAVED })
    }
    characters += checked.characters
    if (characters > mostKept) continue
    kept.push(checked)
    keptLines += checked.lines
  }
  onProgress({ phase: 'saving', records: 0, total, ...NOTHING_SAVED })
  let records = 0
  let saved = NOTHING_SAVED
  const save = async (parts: readonly Part[]): Promise<void> => {
    for (const part of parts) {
      const { leftOut, changed } = await savePart(store, part)
      saved = { leftOut: saved.leftOut + leftOut, changed: saved.changed + changed }
      records += part.records.length
      onProgress({ phase: 'saving', records, total, ...saved })
    }
  }
  const most = BATCH * Math.min(store.dialect.shards, MOST_SHARDS)
  // The next batch is read and sorted by kind while one is saved.
  let saving = Promise.resolve()
  let batch: TransferRecord[] = []
  const saveNext = async (): Promise<void> => {
    const parts = partsOf(store, batch)
    await saving
    saving = save(parts)
    // Whoever waits for it hears of its failure.
    saving.catch(() => undefined)
    batch = []
  }
  try {
    const add = async (checked: CheckedLines): Promise<void> => {
      for (const record of checked.records) {
        batch.push(record)
        if (batch.length === most) await saveNext()
      }
    }
    for (let next = kept.shift(); next !== undefined; next = kept.shift()) await add(next)
    if (characters > mostKept) for await (const next of readRecords(file, read, latestUs, keptLines)) await add(next)
    if (batch.length > 0) await saveNext()
  } finally {
    await saving
  }
  return records
}

function savePart(store: Store, { records, evidence }: Part): Promise<Saved> {
  const payments = records.filter((record) => record.kind === 'payment')
  const documents = records.filter((record) => record.kind === 'document')
  const sweeps = records.filter((record) => record.kind === 'sweep')
  return saveEvidence(store, evidence, {
    hosts: payments.map(({ host }) => host),
    also: async (writer) => {
      await savePaymentRecords(writer, payments)
      await saveDocumentRecords(writer, documents)
      await saveSweepRecords(writer, sweeps)
    },
  })
}

type HostRecord = Exclude<TransferRecord, { kind: 'retention' | 'sweep' }>

const isOfHost = (record: TransferRecord): record is HostRecord =>
  record.kind !== 'retention' && record.kind !== 'sweep'

/** Of one transaction. */
interface Part {
  readonly records: readonly TransferRecord[]
  readonly evidence: Evidence
}

/** Of one transaction each. Since when entries are kept is said with the first: what is folded is saved after that. */
function partsOf({ dialect }: Store, batch: readonly TransferRecord[]): Part[] {
  const partOf = (records: readonly TransferRecord[]): Part => ({ records, evidence: evidenceOf(records) })
  if (dialect.shards === 1) return [partOf(batch)]
  const ofNoHost = batch.filter((record) => !isOfHost(record))
  const [first = [], ...others] = byShard(dialect, batch.filter(isOfHost), hostIdOf).values()
  return [[...ofNoHost, ...first], ...others].map(partOf)
}

const hostIdOf = (record: HostRecord): number => hostKey('host' in record ? record.host : record.url.host)

interface CheckedLines {
  readonly records: readonly TransferRecord[]
  readonly lines: number
  readonly characters: number
}

/** The records of a file after so many lines, some at a time. Throws a `Problem` that names the first bad line. */
async function* readRecords(
  file: string,
  read: RecordReader,
  latestUs: TimestampUs,
  after = 0,
): AsyncGenerator<CheckedLines> {
  let [number, blank] = [0, 0]
  const share = oneChallenge()
  for await (const lines of linesOf(file, LONGEST_LINE)) {
    const records: TransferRecord[] = []
    let characters = 0
    for (const line of lines) {
      number++
      characters += line.length
      if (number <= after) continue
      if (line.trim() === '') {
        blank += line.length + 1
        if (blank > MOST_BLANK) throw badLine(number, 'nothing on it, as on millions before')
        continue
      }
      const record = readRecord(line, number, read, latestUs)
      share(record)
      records.push(record)
    }
    yield { records, lines: lines.length, characters }
  }
}

function readRecord(line: string, number: number, read: RecordReader, latestUs: TimestampUs): TransferRecord {
  const reading = read(parseLine(line, number))
  if (!reading.success) {
    const issue = reading.error.issues[0]
    const where = issue?.path.length ? `${issue.path.join('.')}: ` : ''
    throw badLine(number, `${where}${issue?.message ?? 'not a record'}`)
  }
  if (reading.data.kind === 'retention' && reading.data.kept_since > latestUs)
    throw badLine(number, 'kept_since: lies in the future')
  return reading.data
}

function parseLine(line: string, number: number): unknown {
  if (line.length > LONGEST_LINE) throw badLine(number, 'longer than any record')
  try {
    // Editors of some systems begin a file with a byte order mark.
    return JSON.parse(number === 1 ? line.replace(/^\uFEFF/, '') : line)
  } catch {
    throw badLine(number, 'not JSON')
  }
}

const refOf = (record: {
  method: RouteRef['method']
  rail: RouteRef['rail']
  url: RecordOf<'listing'>['url']
}): RouteRef => ({
  method: record.method,
  rail: record.rail,
  scheme: record.url.scheme,
  host: record.url.host,
  path: record.url.path,
})

/** Records as evidence; the three kinds stay apart. */
export function evidenceOf(records: readonly TransferRecord[]): Evidence {
  const ofKind = groupBy(records, ({ kind }) => kind)
  const of = <K extends TransferRecord['kind']>(kind: K): RecordOf<K>[] =>
    (ofKind.get(kind) ?? []).filter((record): record is RecordOf<K> => record.kind === kind)
  return {
    // Nearly all records are these and probes: written out, a tenth of an import faster.
    listings: of('listing').map((record) => ({
      method: record.method,
      rail: record.rail,
      scheme: record.url.scheme,
      host: record.url.host,
      path: record.url.path,
      source: record.source,
      price: record.price,
      network: record.network,
      description: record.description,
      firstUs: record.first_observed,
      lastUs: record.last_observed,
      goneUs: record.no_longer_named_since,
      isOneOfSeveral: record.one_of_several,
      isMethodStated: record.method_stated,
    })),
    unlisted: of('unlisted').map((record) => ({ sinceUs: record.since, ...refOf(record) })),
    payees: of('payee').map((record) => ({
      method: record.method,
      rail: record.rail,
      scheme: record.url.scheme,
      host: record.url.host,
      path: record.url.path,
      network: record.network,
      payee: record.payee,
      asset: record.asset,
      origin: record.origin,
      firstUs: record.first_observed,
      lastUs: record.last_observed,
    })),
    probes: of('probe').map((record) => ({
      method: record.method,
      rail: record.rail,
      scheme: record.url.scheme,
      host: record.url.host,
      path: record.url.path,
      atUs: record.date,
      httpStatus: record.http_status,
      latencyMs: record.latency_ms,
      error: record.error,
      challenge: record.challenge,
      timings: record.timings && {
        dnsMs: record.timings.dns_ms,
        connectMs: record.timings.connect_ms,
        tlsMs: record.timings.tls_ms,
        firstByteMs: record.timings.first_byte_ms,
      },
      remoteAddress: record.remote_address,
      vantage: record.vantage ?? null,
      shield: record.shield ?? null,
    })),
    signedOffers: of('signed_offer').map((record) => ({
      offer: record.offer,
      firstUs: record.first_observed,
      lastUs: record.last_observed,
      ...refOf(record),
    })),
    offerKeys: of('offer_key').map((record) => ({
      ...{ host: record.host, kid: record.kid, jwk: record.jwk },
      ...{ firstUs: record.first_observed, lastUs: record.last_observed, goneUs: record.gone },
    })),
    reviews: of('review').map((record) => ({
      id: record.id,
      url: record.concrete_url ?? addressOf(record.url.scheme, record.url.host, record.url.path),
      rating: record.rating,
      text: record.text,
      level: record.level,
      levelReason: record.level_reason,
      excluded: record.excluded,
      superseded: record.superseded,
      wallet: record.wallet,
      signature: record.signature,
      signedAt: record.signed_at,
      payment: record.payment,
      paymentFound: record.payment_found && paymentFoundIn(record.payment_found),
      outcome: record.outcome ? outcomeIn(record.outcome) : null,
      directory: record.directory,
      receipt: record.receipt,
      submittedUs: record.submitted_at,
      hidden: record.hidden ? { atUs: record.hidden.at, reason: record.hidden.reason } : null,
      ...refOf(record),
    })),
    posts: of('post').map((record) => ({
      host: record.host,
      id: record.id,
      text: record.text,
      wallet: record.wallet,
      signature: record.signature,
      signedAt: record.signed_at,
      postedUs: record.posted_at,
      rail: record.rail,
      payment: record.payment,
      hidden: record.hidden && { atUs: record.hidden.at, reason: record.hidden.reason },
    })),
    ownership: of('ownership').map((record) => ({
      host: record.host,
      signer: record.signer,
      origin: record.origin,
      proof: record.proof,
      firstUs: record.first_observed,
      lastUs: record.last_observed,
    })),
    claims: of('claim').map(claimIn),
    statements: of('statement').map(statementIn),
    keptSinceUs: of('retention').reduce<number | null>((most, record) => Math.max(most ?? 0, record.kept_since), null),
    folded: of('folded').map((record) => ({
      ...refOf(record),
      counts: {
        answers: record.answers,
        '402-correct': record['402_correct'],
        failed: record.failed,
        unreachable: record.unreachable,
      },
      newestUs: record.newest,
      challenge: record.challenge,
      challengeUs: record.challenge_at,
      run: record.run
        ? { httpStatus: record.run.http_status, sinceUs: record.run.since, last402Us: record.run.last_402 }
        : null,
      sights: (record.vantages ?? []).map(sightIn),
    })),
    foldedLatency: of('folded_latency').map(({ host, latency_ms, entries }) => ({
      host,
      latencyMs: latency_ms,
      n: entries,
    })),
    events: of('event').map((record) => ({
      host: record.host,
      kind: record.event,
      atUs: record.date,
      route: record.route && refOf(record.route),
      data: record.data,
    })),
  }
}
