import { join } from 'node:path'
import pg from 'pg'
import secp256k1 from 'secp256k1'
import { getAddress, hashMessage, hexToBytes, keccak256 } from 'viem'
import { createReviews } from '../../src/acts/reviews/submit-review.ts'
import { createSignatures } from '../../src/payment/signatures.ts'
import { SQLITE_FILE } from '../../src/store/engines/sqlite.ts'
import { connect } from '../../src/store/engines/sqlite-connection.mjs'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { formatSignedAt } from '../../src/wire/signed-at.ts'
import { reviewMessage } from '../../src/wire/signed-lines.ts'
import { hostName, listingOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { interleaved, perSecond, timed } from '../rigs/measure.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOSTS = 50
const REVIEWS_PER_ROUND = 1_000
const ROUNDS = 9
const WARM_UP_ROUNDS = 2
/** Requests under way at the same time, on both sides. */
const AT_ONCE = 128

/** Signed reviews from their JSON to a durable row that counts, against one durable insert of the bare row each. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) {
    note(`${REVIEWS_PER_ROUND} signed reviews into ${engine.name}, ${ROUNDS} rounds`)
    const { measured, limit, ratio } = await reviewRates(engine)
    found.push({
      what: `signed reviews accepted, ${engine.name}`,
      measured: perSecond(measured),
      limit: `${perSecond(limit)} bare durable inserts`,
      ratio,
      aim: { atLeast: 0.5 },
    })
  }
  return found
}

async function reviewRates(engine: BenchEngine) {
  const store = await openStore(await engine.fresh())
  const listings = Array.from({ length: HOSTS }, (_, host) => listingOf(routeAt(host), 1))
  await saveListings(store, { listings })
  const reviews = createReviews({
    store,
    signatures: createSignatures({ rpcUrls: new Map() }),
    proofs: { find: async () => ({ kind: 'none', reason: 'no payment is named here' }) },
    founders: [],
    allow: [],
    nowUs: () => Date.now() * 1000,
    directory: () => 'tollbook.example',
    random: () => '',
  })
  const open = { signing: () => undefined, signed: () => undefined, unsigned: () => undefined }
  const bare = await bareReviews(await engine.fresh())
  let [ours, theirs] = [0, 0]
  const submit = async (): Promise<number> => {
    // Signing is the agents' work, done before.
    const bodies = Array.from({ length: REVIEWS_PER_ROUND }, () => signedBody(ours++))
    const { ms } = await timed(() => atOnce(bodies, (body) => reviews.submit(body, open)))
    return REVIEWS_PER_ROUND / (ms / 1000)
  }
  const insert = async (): Promise<number> => {
    const numbers = Array.from({ length: REVIEWS_PER_ROUND }, () => theirs++)
    const { ms } = await timed(() => atOnce(numbers, (n) => bare.insert(rowOf(n))))
    return REVIEWS_PER_ROUND / (ms / 1000)
  }
  await interleaved(WARM_UP_ROUNDS, submit, insert)
  const compared = await interleaved(ROUNDS, submit, insert)
  await store.close()
  await bare.close()
  return compared
}

/** Takes the items one after the other, so many of them at the same time. */
async function atOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

const routeAt = (host: number) =>
  ({ host: hostName(host), scheme: 'https', method: 'GET', path: '/v1/answer', rail: 'x402' }) as const

const textOf = (n: number): string => `Review ${n}: paid a cent, got the answer in time, would call it again tomorrow.`

function signedBody(n: number) {
  const key = hexToBytes(keccak256(`0x${(n + 1).toString(16).padStart(64, '0')}`))
  const wallet = getAddress(`0x${keccak256(secp256k1.publicKeyCreate(key, false).slice(1)).slice(-40)}`)
  const { host, method, rail } = routeAt(n % HOSTS)
  const url = `https://${host}/v1/answer`
  const review = { url, method, rail, rating: 1 + (n % 5), text: textOf(n) }
  const signedAt = formatSignedAt(Date.now() * 1000)
  const digest = hexToBytes(hashMessage(reviewMessage({ ...review, payment: null, signedAt })))
  const { signature, recid } = secp256k1.ecdsaSign(digest, key)
  const hex = Buffer.from([...signature, 27 + recid]).toString('hex')
  return { ...review, wallet, signature: `0x${hex}`, signed_at: signedAt }
}

const COLUMNS = [
  'host_id',
  'review_id',
  'route_id',
  'url',
  'rating',
  'text',
  'wallet',
  'signature',
  'signed_at',
  'level',
  'superseded',
  'submitted_us',
] as const

/** The row that such a review becomes. */
const rowOf = (n: number): readonly (string | number)[] => [
  n % HOSTS,
  `r${n}`,
  1,
  `https://${hostName(n % HOSTS)}/v1/answer`,
  1 + (n % 5),
  textOf(n),
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  `0x${'ab'.repeat(65)}`,
  '2026-11-14T12:34:56Z',
  'Signed',
  0,
  1_763_000_000_000_000 + n,
]

interface BareReviews {
  insert(row: readonly (string | number)[]): Promise<unknown>
  close(): Promise<void>
}

async function bareReviews(options: StoreOptions): Promise<BareReviews> {
  await (await openStore(options)).close()
  if (options.databaseUrl === undefined) {
    const connection = connect(join(options.dataDir, SQLITE_FILE), { readOnly: false })
    const statement = connection.database.prepare(
      `insert into reviews (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})`,
    )
    return { insert: async (row) => statement.run(...row), close: async () => connection.close() }
  }
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: 10 })
  // The server may be stopped while connections are still closing.
  pool.on('error', () => undefined)
  const text = `insert into reviews (${COLUMNS.join(', ')}) values (${COLUMNS.map((_, at) => `$${at + 1}`).join(', ')})`
  return { insert: (row) => pool.query({ name: 'insert-review', text, values: [...row] }), close: () => pool.end() }
}
