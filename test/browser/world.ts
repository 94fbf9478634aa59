import { privateKeyToAccount } from 'viem/accounts'
import { DAY_US } from '../../src/domain/time/day.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { saveSweep } from '../../src/store/facts/sweeps.ts'
import type { Store } from '../../src/store/store.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import type { Claim, Statement } from '../../src/wire/sellers/records.ts'
import { type FilledProgram, startFilledProgram } from '../support/filled-program.ts'
import { aChallenge, aListing, aPost, aProbe, aReview, aRoute, evidence } from '../support/samples.ts'

/** A directory with enough in it to look at: invented sellers under `.example`, ninety days of entries, reviews and posts. */
export type World = FilledProgram

/** 25 routes, 20 posts, reviews of every level. */
export const BUSY = 'api.weather.example'
/** More routes than a page shows. */
export const LARGE = 'atlas.geo.example'
/** Listed and never probed. */
export const QUIET = 'quiet.notes.example'
/** Sellers of images, the cheapest first. */
export const IMAGES = ['pix.images.example', 'paint.images.example', 'studio.images.example'] as const
/** By how many days they failed, three weeks ago. */
export const OUTAGES = { 1: 'one.outage.example', 2: 'two.outage.example', 3: 'three.outage.example' } as const
/** Fails now, since hours. */
export const DOWN = 'down.outage.example'
export const A_ROUTE = `/hosts/${BUSY}/route?method=GET&path=%2Fv1%2Fforecast&rail=x402`
export const A_POST = 'post-03'
export const A_STATEMENT = 'statement-1'
/** Its seller says that it went elsewhere. */
export const MOVED = 'old.shop.example'
/** Nobody has claimed it yet; live challenges of four days named the wallet of this key. */
export const SELLER = 'new.shop.example'
export const SELLER_KEY = '7'.repeat(64)

export const openWorld = (): Promise<World> =>
  startFilledProgram(
    {
      SOURCES: 'bazaar=bazaar:https://bazaar.example/discovery,index=402index:https://index.example',
      // Nobody answers for any seller.
      CONNECT_TO: '*.example::127.0.0.1:1',
    },
    fill,
  )

/** From 0 to 1, the same for the same number: the world looks alike every time. */
const noise = (n: number): number => ((n * 2_654_435_761) % 1_000_003) / 1_000_003

const PATHS = ['forecast', 'now', 'history/:city', 'alerts', 'radar/{tile}', 'marine', 'air', 'pollen', 'sun', 'moon']
const WORDS = ['search', 'translate', 'quotes', 'maps', 'vision', 'speech', 'ledger', 'mail', 'scrape', 'rates']

/** As sellers write: short, long, without a place to break, and nothing at all. */
const DESCRIBED = [
  'Hourly forecast for one place, up to ten days ahead, with wind, rain and the chance of each.',
  'Current weather.',
  `Everything at once: ${'https://docs.weather.example/reference/without-a-place-to-break/'.repeat(4)}`,
  null,
]

async function fill(store: Store, nowUs: number): Promise<void> {
  await busyHost(store, nowUs)
  await largeHost(store, nowUs)
  await manyHosts(store, nowUs)
  await imageHosts(store, nowUs)
  await outages(store, nowUs)
  await sellers(store, nowUs)
  await sweeps(store, nowUs)
}

async function imageHosts(store: Store, nowUs: number): Promise<void> {
  for (const [index, host] of IMAGES.entries()) {
    const image = { host, path: '/v1/images/generate', method: 'POST' as const }
    const other = { host, path: '/v1/status' }
    const price = [2000, 30_000, 500_000][index] ?? 0
    const listings = [
      aListing({ ...image, price, firstUs: nowUs - DAY_US, lastUs: nowUs, description: 'Makes an image of a text.' }),
      // Cheaper than any image, and none.
      aListing({ ...other, price: 100 * (3 - index), firstUs: nowUs - DAY_US, lastUs: nowUs }),
    ]
    const probes = [image, other].map((ref, at) =>
      aProbe({ ...ref, atUs: nowUs - 180_000_000 - at, challenge: aChallenge(at === 0 ? price : 100 * (3 - index)) }),
    )
    await saveEvidence(store, evidence({ listings, probes }))
  }
}

/** Sellers who speak, and one who does not yet. */
async function sellers(store: Store, nowUs: number): Promise<void> {
  const { address } = privateKeyToAccount(`0x${SELLER_KEY}`)
  const offer = { rail: 'x402', network: 'eip155:8453', price: 10_000, asset: '0xasset', payee: address } as const
  const route = { host: SELLER, path: '/v1/x' }
  const days = [1, 2, 3, 4].map((day) => nowUs - day * DAY_US)
  const listed = { firstUs: nowUs - 9 * DAY_US, lastUs: nowUs }
  const said = (id: string, host: string, kind: Statement['kind'], about: string, text: string): Statement => ({
    ...{ id, host, kind, about, text, wallet: address, signature: '0x22', signedAt: '2026-11-14T12:00:00Z' },
    ...{ directory: null, submittedUs: nowUs - DAY_US, hidden: null },
  })
  const claim = (host: string): Claim => ({
    ...{ host, wallet: address, walletLine: address, signature: '0x22', signedAt: '2026-11-14T12:00:00Z' },
    ...{ directory: null, claimedUs: nowUs - 9 * DAY_US },
    proofs: [{ proof: 'file', sinceUs: nowUs - 9 * DAY_US, seenUs: nowUs, untilUs: null }],
  })
  await saveEvidence(
    store,
    evidence({
      listings: [aListing({ ...route, ...listed }), aListing({ host: MOVED, path: '/v1/x', ...listed })],
      probes: days.map((atUs) => aProbe({ ...route, atUs, challenge: { offers: [offer], warnings: [] } })),
      payees: days.map((atUs) => ({
        ...aRoute(route),
        ...{ ...offer, origin: 'challenge' as const, firstUs: atUs, lastUs: atUs },
      })),
      reviews: [aReview({ ...route, id: 'complaint', url: `https://${SELLER}/v1/x`, rating: 2, text: 'Slow today.' })],
      claims: [claim(BUSY), claim(MOVED)],
      statements: [
        said(A_STATEMENT, BUSY, 'contact', BUSY, 'Questions: help@weather.example'),
        said('statement-2', BUSY, 'reply', 'review review-2', 'The hourly route has a machine of its own now.'),
        said('statement-3', BUSY, 'reply', `post ${A_POST}`, 'Thank you.'),
        said('statement-4', BUSY, 'correct', `GET https://${BUSY}/v1/forecast x402 bazaar`, 'It costs 0.003 now.'),
        said('statement-5', MOVED, 'moved', SELLER, 'New name, same service.'),
      ],
    }),
  )
}

const HOUR_US = 3_600_000_000

/** Sixty days of one entry every six hours, and some days of nothing but errors. */
async function outages(store: Store, nowUs: number): Promise<void> {
  const filled = async (host: string, statusAt: (hoursAgo: number) => number): Promise<void> => {
    const probes = Array.from({ length: 240 }, (_, n) =>
      aProbe({ host, path: '/v1/x', atUs: nowUs - n * 6 * HOUR_US - 60_000_000, httpStatus: statusAt(n * 6) }),
    )
    const listings = [aListing({ host, path: '/v1/x', firstUs: nowUs - 60 * DAY_US, lastUs: nowUs })]
    await saveEvidence(store, evidence({ listings, probes }))
  }
  const startOfDay = (nowUs % DAY_US) / HOUR_US
  for (const days of [1, 2, 3] as const) {
    // From the beginning of a UTC day to the end of one.
    const [from, to] = [startOfDay + 20 * 24, startOfDay + (20 - days) * 24]
    await filled(OUTAGES[days], (hoursAgo) => (hoursAgo < from && hoursAgo >= to ? 500 : 402))
  }
  await filled(DOWN, (hoursAgo) => (hoursAgo < 12 ? 503 : 402))
}

async function busyHost(store: Store, nowUs: number): Promise<void> {
  const paths = Array.from({ length: 25 }, (_, index) =>
    index < PATHS.length ? `/v1/${PATHS[index]}` : `/v2/stations/${index}`,
  )
  const refs = paths.map((path, index) => ({
    host: BUSY,
    path,
    method: index % 7 === 3 ? ('POST' as const) : ('GET' as const),
  }))
  const listings = refs.flatMap((ref, index) => {
    const price = 1000 * (1 + (index % 6))
    const changed = nowUs - 40 * DAY_US
    return [
      aListing({
        ...ref,
        price,
        firstUs: changed,
        lastUs: nowUs - index,
        description: DESCRIBED[index % DESCRIBED.length],
      }),
      aListing({ ...ref, price: price * 2, firstUs: nowUs - 80 * DAY_US, lastUs: changed - DAY_US }),
      ...(index % 3 === 0
        ? [
            aListing({
              ...ref,
              source: 'index',
              price: price + 500,
              network: 'eip155:8453',
              firstUs: changed,
              lastUs: nowUs - DAY_US,
            }),
          ]
        : []),
    ]
  })
  for (let day = 0; day < 88; day++) {
    const probes = refs.map((ref, index) => {
      const seed = day * 31 + index
      const httpStatus = statusOf(noise(seed))
      return aProbe({
        ...ref,
        atUs: nowUs - day * DAY_US - Math.floor(noise(seed + 7) * 3_600_000_000),
        httpStatus,
        latencyMs: Math.round(60 + 80 * noise(seed + 3) + (day > 60 ? 120 : 0)),
        error: httpStatus === null ? 'connection refused' : null,
        challenge: httpStatus === 402 ? aChallenge(index === 0 ? 3000 : 1000 * (1 + (index % 6))) : null,
      })
    })
    await saveEvidence(store, evidence({ listings: day === 0 ? listings : [], probes }))
  }
  const route = { host: BUSY, path: '/v1/forecast', url: `https://${BUSY}/v1/forecast` }
  const reviews = [
    aReview({
      ...route,
      id: 'review-1',
      level: 'Verified buyer',
      rating: 5,
      text: 'Paid once, got the forecast in 80 ms.',
    }),
    aReview({
      ...route,
      id: 'review-2',
      level: 'Signed',
      rating: 3,
      wallet: `0x${'2'.repeat(40)}`,
      text: 'Good data.\nThe hourly route was slow on Monday.',
    }),
    aReview({
      ...route,
      id: 'review-3',
      level: 'Unsigned',
      rating: 2,
      wallet: null,
      signature: null,
      signedAt: null,
      text: 'Asked for three times the listed price.',
    }),
    aReview({
      ...route,
      id: 'review-4',
      level: 'Signed',
      excluded: 'founder',
      wallet: `0x${'3'.repeat(40)}`,
      text: 'We built it.',
    }),
  ]
  const posts = Array.from({ length: 20 }, (_, index) =>
    aPost({
      host: BUSY,
      id: `post-${String(index).padStart(2, '0')}`,
      postedUs: nowUs - (20 - index) * 3_600_000_000,
      text:
        index % 4 === 0
          ? 'Does the hourly route count calls per key?'
          : `Answered in ${70 + index} ms here, paid through mpp.`,
      payment: {
        network: 'tempo:4217',
        transaction: `0x${index.toString(16).padStart(64, '0')}`,
        payer: `0x${'1'.repeat(40)}`,
      },
    }),
  )
  await saveEvidence(
    store,
    evidence({ reviews: reviews.map((one, index) => ({ ...one, submittedUs: nowUs - index * DAY_US })), posts }),
  )
}

function statusOf(chance: number): number | null {
  if (chance < 0.006) return null
  if (chance < 0.02) return 404
  return chance < 0.05 ? 200 : 402
}

async function largeHost(store: Store, nowUs: number): Promise<void> {
  for (let from = 0; from < 5000; from += 1000) {
    const listings = Array.from({ length: 1000 }, (_, index) =>
      aListing({
        host: LARGE,
        path: `/tiles/${String(from + index).padStart(4, '0')}`,
        price: 500,
        firstUs: nowUs - DAY_US,
        lastUs: nowUs,
      }),
    )
    await saveListings(store, { listings })
  }
}

async function manyHosts(store: Store, nowUs: number): Promise<void> {
  const hosts = Array.from(
    { length: 60 },
    (_, index) => `${['api', 'pay', 'x402'][index % 3]}.${WORDS[index % 10]}${index}.example`,
  )
  for (const [index, host] of [...hosts, 'xn--bcher-kva.example', QUIET].entries()) {
    const rail = index % 4 === 1 ? ('mpp' as const) : ('x402' as const)
    const network = rail === 'mpp' ? 'tempo:4217' : index % 5 === 2 ? 'solana' : 'base'
    const refs = Array.from({ length: 1 + (index % 4) }, (_, at) => ({
      host,
      rail,
      path: `/v1/${WORDS[(index + at) % 10]}`,
    }))
    const listings = refs.map((ref, at) =>
      aListing({
        ...ref,
        network,
        price: index % 9 === 5 ? null : 500 * (1 + ((index * 7 + at) % 40)),
        description:
          index % 2 === 0 ? null : `An invented seller of ${WORDS[(index + at) % 10]} that agents pay per call.`,
        firstUs: nowUs - 30 * DAY_US,
        lastUs: nowUs,
      }),
    )
    const days = host === QUIET || index % 11 === 8 ? 0 : 10 + ((index * 13) % 60)
    const probes = Array.from({ length: days }, (_, day) =>
      refs.map((ref, at) => {
        const chance = noise(index * 997 + day * 13 + at)
        const httpStatus = index % 6 === 4 && day < 5 ? null : statusOf(index % 5 === 3 ? chance / 3 : chance)
        return aProbe({
          ...ref,
          atUs: nowUs - day * DAY_US - index * 60_000_000 - at,
          httpStatus,
          latencyMs: Math.round(50 + 900 * noise(index) + 90 * chance),
        })
      }),
    ).flat()
    const reviews =
      index % 7 === 0 && refs[0]
        ? [
            aReview({
              ...refs[0],
              id: `r-${index}`,
              url: `https://${host}${refs[0].path}`,
              submittedUs: nowUs - index * DAY_US,
            }),
          ]
        : []
    await saveEvidence(store, evidence({ listings, probes, reviews }))
  }
}

const sweeps = (store: Store, nowUs: number): Promise<void> =>
  store.write(async (writer) => {
    for (let ago = 0; ago < 4; ago++) {
      const startedUs = nowUs - ago * 6 * 3_600_000_000 - 90_000_000
      const row = {
        source: 'bazaar',
        started_us: startedUs,
        ended_us: startedUs + 61_000_000,
        status: 'complete' as const,
        resumed: 0,
      }
      const counts = {
        seen: 12_804 - ago,
        stored: 12_310 - ago,
        pages: 129,
        bytes: 9_000_000,
        announced: 12_804,
        error: null,
      }
      await saveSweep(writer, { ...row, ...counts, refused: '{"not a public host":494}', answers: '{"200":129}' })
    }
    await saveSweep(writer, {
      source: 'index',
      started_us: nowUs - 200_000_000,
      ended_us: nowUs - 100_000_000,
      status: 'failed',
      resumed: 0,
      seen: 300,
      stored: 280,
      pages: 3,
      bytes: 90_000,
      refused: '{}',
      answers: '{"200":3,"503":4}',
      announced: null,
      error: 'the source answered 503 four times',
    })
  })
