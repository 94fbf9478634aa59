import { rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { contradictionLine } from '../../src/domain/offers/contradictions.ts'
import { offerLine } from '../../src/domain/offers/seen-offer.ts'
import { createProber } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../../src/probe/settings.ts'
import { signedOffersJson } from '../../src/render/buyers/signed-offers.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import type { Store } from '../../src/store/store.ts'
import { exportRecords } from '../../src/store/transfer/export.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { hostViewOf, routesOf } from '../../src/views/host/open-host.ts'
import { checkOfferDocument } from '../../src/wire/offers/check-document.ts'
import { onEachEngine, temporaryFolder } from '../support/engines.ts'
import { aListing } from '../support/samples.ts'
import { demandHeader, didDocument, newKeys, type SellerKeys, signedOffer } from '../support/signing-seller.ts'
import { type Sellers, startSellers, withoutRobots } from './sellers.ts'

const HOST = 'signs.example'
const URL_OF = `http://${HOST}/v1/x`
const DID = `did:web:${HOST}`
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

const open: Sellers[] = []
afterEach(async () => {
  for (const sellers of open.splice(0)) await sellers.close()
})

type Document = (response: ServerResponse) => void
const asJson =
  (value: unknown): Document =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** A seller that can change what it asks for, signs and publishes. */
interface Shop {
  asks: string
  signs: string
  url: string
  kid: string
  keys: SellerKeys
  seconds: number
  document: Document
  /** Sent instead of a new one. */
  replay: unknown
}

async function openShop() {
  const keys = newKeys()
  const shop: Shop = {
    ...{ asks: '10000', signs: '10000', url: URL_OF, kid: `${DID}#key-1`, keys, seconds: 300, replay: null },
    document: asJson(didDocument(DID, keys)),
  }
  let last: unknown = null
  const sellers = await startSellers(
    withoutRobots(({ path }, response) => {
      if (path === '/.well-known/did.json') return shop.document(response)
      if (path !== '/v1/x') return void response.writeHead(404).end()
      void signedOffer(shop.url, shop.kid, shop.keys, shop.signs, shop.seconds).then((offer) => {
        last = shop.replay ?? offer
        response.writeHead(402, { 'PAYMENT-REQUIRED': demandHeader(URL_OF, shop.asks, [last]) }).end()
      })
    }),
  )
  open.push(sellers)
  return { shop, sellers, last: () => last }
}

async function differencesIn(store: Store): Promise<unknown[]> {
  const found: unknown[] = []
  await verifyStore(store, (one) => found.push(one))
  return found
}

async function routeIn(store: Store) {
  const view = await hostViewOf(store, HOST, { limit: 50, cursor: null }, Date.now() * 1000)
  const route = view?.routes[0]
  if (route === undefined) throw new Error('there is no such route')
  return route
}

const checksIn = async (store: Store) => (await routeIn(store)).signedOffers.map(({ check }) => check)

onEachEngine('offers that sellers sign', (engine) => {
  async function directory(price = 10_000) {
    const store = await engine.open()
    const { shop, sellers, last } = await openShop()
    const nowUs = Date.now() * 1000
    const seen = { price, network: 'eip155:8453', firstUs: nowUs - 1_000_000, lastUs: nowUs + 60_000_000 }
    await saveListings(store, { listings: [aListing({ host: HOST, path: '/v1/x', scheme: 'http', ...seen })] })
    const prober = createProber(
      { store, egress: sellers.egress, nowUs: () => Date.now() * 1000, log: SILENT, name: `offers-${Math.random()}` },
      { ...DEFAULT_PROBER, manners: { gapMs: 0, optOut: [] }, limits: { deadlineMs: 2000, maxBodyBytes: 65_536 } },
    )
    const probe = async (): Promise<void> => {
      const never = new AbortController().signal
      await prober.enrolAll(never)
      await store.write((writer) => sql`update schedule set due_us = 0`.execute(writer).then())
      await store.write((writer) => sql`update host_turns set due_us = 0, not_before_us = 0`.execute(writer).then())
      await prober.round({ cutoffUs: Date.now() * 1000, hostIds: null }, never)
    }
    return { store, shop, sellers, probe, last }
  }

  it('leave a host alone that asks for it where its keys are to be read', async () => {
    const { store, shop, probe } = await directory()
    const waits = async (document: Document): Promise<number> => {
      shop.document = document
      const fromUs = Date.now() * 1000
      await probe()
      const { not_before_us } = await store.read.selectFrom('host_turns').selectAll().executeTakeFirstOrThrow()
      return Math.round((Number(not_before_us) - fromUs) / 60_000_000)
    }
    expect(await waits((response) => void response.writeHead(503, { 'retry-after': '600' }).end())).toBe(10)
    expect(await waits((response) => void response.writeHead(429).end())).toBe(1)
    expect(await waits((response) => void response.writeHead(503).end())).toBe(0)
    expect(await waits(asJson(didDocument(DID, shop.keys)))).toBe(0)
  })

  it('are kept by every probe, verified by the key of the host, announced when they change, and moved', async () => {
    const { store, shop, probe } = await directory()
    await probe()
    const [offer] = (await routeIn(store)).signedOffers
    expect(offer && offerLine(offer)).toMatch(
      /^0\.010000 on eip155:8453 to 0x1{40}: signed by the seller until .+, key authorised by did:web:signs\.example#key-1$/,
    )
    await probe()
    shop.asks = '20000'
    shop.signs = '20000'
    await probe()
    const events = await store.read
      .selectFrom('events')
      .selectAll()
      .where('kind', '=', 'signed_offer_changed')
      .execute()
    expect(events.map(({ data }) => JSON.parse(data)).toSorted((a, b) => Number(a.from > b.from))).toEqual([
      { from: null, to: expect.stringMatching(/^0\.010000 /) },
      { from: expect.stringMatching(/^0\.010000 /), to: expect.stringMatching(/^0\.020000 /) },
    ])
    expect((await routeIn(store)).signedOffers).toHaveLength(3)
    expect(await differencesIn(store)).toEqual([])

    const copy = await engine.open()
    await move(store, copy)
    expect((await routeIn(copy)).signedOffers).toEqual((await routeIn(store)).signedOffers)
    expect(await differencesIn(copy)).toEqual([])
    await store.write((writer) => sql`update offer_keys set first_us = first_us + 3600000000`.execute(writer).then())
    expect(JSON.stringify(await differencesIn(store))).toContain('signed offer ')
  })

  it('are checked offline from what a page gives, and not once a word of it is changed', async () => {
    const { store, probe } = await directory()
    await probe()
    const document = JSON.parse(JSON.stringify(signedOffersJson(await routeIn(store))))
    expect(checkOfferDocument(document)).toMatchObject({ ok: true })
    expect(checkOfferDocument(document.signed_offers[0])).toMatchObject({ ok: true })
    const moved = { ...document.signed_offers[0], address: 'http://other.example/v1/x' }
    expect(checkOfferDocument(moved)).toMatchObject({ ok: false })
    const early = { ...document.signed_offers[0], first_seen: '2020-01-01T00:00:00.000000Z' }
    expect(checkOfferDocument(early)).toMatchObject({ ok: false })
    expect(checkOfferDocument({ ...document.signed_offers[0], key: undefined })).toMatchObject({ ok: false })
  })

  it('are judged by the keys of their own time when the seller rotates them', async () => {
    const { store, shop, probe, last } = await directory()
    await probe()
    const first = last()
    const old = shop.keys
    shop.keys = newKeys()
    shop.document = asJson(didDocument(DID, shop.keys))
    await probe()
    expect(await checksIn(store)).toEqual([
      expect.objectContaining({ by: 'host' }),
      expect.objectContaining({ by: 'host' }),
    ])
    // What the old key signs now is dated back to its time: the offer says nothing else about when it was made.
    shop.keys = old
    shop.signs = '1'
    shop.seconds = -3600
    await probe()
    expect((await checksIn(store)).filter(({ by }) => by === null)).toEqual([
      { by: null, reason: expect.stringMatching(/signature is not valid|not in the DID document/) },
    ])
    // What was seen then is seen again: it stays what it was.
    shop.replay = first
    await probe()
    expect((await checksIn(store)).filter(({ by }) => by === 'host')).toHaveLength(2)
    expect(await differencesIn(store)).toEqual([])
  })

  it.each([
    ['a redirect', (response) => void response.writeHead(302, { location: `http://evil.example/did.json` }).end()],
    ['a huge one', (response) => void response.writeHead(200).end(`{"id":"${DID}","x":"${'x'.repeat(1_000_000)}"}`)],
    ['one that never ends', (response) => void response.writeHead(200).write('{"id":')],
    ['one that is not there', (response) => void response.writeHead(404).end()],
    ['one of another DID', asJson(didDocument('did:web:evil.example', newKeys()))],
    ['one with deep nesting', (response) => void response.writeHead(200).end('['.repeat(60_000))],
    ['one with keys of others', asJson({ id: DID, verificationMethod: [{ id: 'did:web:evil.example#key-1' }] })],
    [
      'one with a secret key',
      asJson({ id: DID, verificationMethod: [{ id: '#key-1', publicKeyJwk: { kty: 'oct' } }] }),
    ],
    ['one that is no document', asJson(['did', null, 7])],
  ] as const satisfies readonly (readonly [string, Document])[])(
    'are not verified by a hostile DID document, and the entry is kept: %s',
    async (_, document) => {
      const { store, shop, sellers, probe } = await directory()
      shop.document = document
      await probe()
      expect(await checksIn(store)).toEqual([{ by: null, reason: expect.stringContaining('DID document') }])
      expect((await routeIn(store)).probesTotal).toBe(1)
      expect(sellers.seen.filter(({ host }) => host !== HOST)).toEqual([])
    },
  )

  it.each([
    ['of another host', 'did:web:evil.example#key-1'],
    ['of a private address', 'did:web:127.0.0.1#key-1'],
    ['of a private address with a port', 'did:web:10.0.0.1%3A8080#key-1'],
    ['with a path out of its place', `did:web:${HOST}:..:secret#key-1`],
    ['that is none', 'did:web:%zz#key-1'],
  ])('ask nobody for a key %s', async (_, kid) => {
    const { store, shop, sellers, probe } = await directory()
    shop.kid = kid
    await probe()
    expect(await checksIn(store)).toEqual([expect.objectContaining({ by: null })])
    expect(sellers.seen.map(({ host, path }) => `${host}${path}`)).toEqual([`${HOST}/robots.txt`, `${HOST}/v1/x`])
  })

  it('show it when a seller asks for more than it signed, or is listed for more', async () => {
    const { store, shop, probe } = await directory(20_000)
    shop.asks = '20000'
    await probe()
    const lines = (await routeIn(store)).contradictions.map(contradictionLine)
    expect(lines).toEqual([
      expect.stringMatching(
        /^The seller signed 0\.010000 until .+, and 0\.020000 was asked for by a live challenge at /,
      ),
      expect.stringMatching(/^The seller signed 0\.010000 until .+, and 0\.020000 was listed by bazaar at /),
    ])
  })

  it('show it at the top of their host, whichever of its routes and rows are shown', async () => {
    const { store, shop, probe } = await directory(20_000)
    shop.asks = '20000'
    await probe()
    const expected = (await routeIn(store)).contradictions.map(contradictionLine)
    const others = Array.from({ length: 55 }, (_, n) => aListing({ host: HOST, path: `/a/${n}`, scheme: 'http' }))
    const atUs = Date.now() * 1000 + 90_000_000
    const newer = Array.from({ length: 25 }, (_, n) =>
      aListing({
        ...{ host: HOST, path: '/v1/x', scheme: 'http', source: `list-${n}`, price: 30_000 + n, network: 'solana' },
        ...{ firstUs: atUs, lastUs: atUs },
      }),
    )
    await saveListings(store, { listings: [...others, ...newer] })
    const view = await hostViewOf(store, HOST, { limit: 50, cursor: null }, Date.now() * 1000)
    expect(view?.routes.some(({ path }) => path === '/v1/x')).toBe(false)
    expect(view?.contradicted.map(({ address }) => address)).toEqual([URL_OF])
    expect(view?.contradicted.flatMap(({ contradictions }) => contradictions).map(contradictionLine)).toEqual(expected)
    const asked = { limit: 50, cursor: null, q: '/v1/x' }
    const shown = (await hostViewOf(store, HOST, asked, Date.now() * 1000))?.routes[0]
    expect([shown?.contradictions.map(contradictionLine), shown?.listings.length]).toEqual([expected, 20])
    const listed = (await routesOf(store, HOST, asked))?.items[0]
    expect(listed?.contradictions.map(contradictionLine)).toEqual(expected)
  })

  it('show nothing of the kind while an offer has ended, or nobody stands behind it', async () => {
    const { store, shop, probe } = await directory(20_000)
    shop.asks = '20000'
    shop.seconds = -60
    await probe()
    shop.seconds = 300
    shop.kid = 'did:web:evil.example#key-1'
    await probe()
    expect((await routeIn(store)).contradictions).toEqual([])
  })

  it('are kept of each route in bounded number', async () => {
    const { store, shop, probe } = await directory()
    for (let n = 0; n < 23; n++) {
      shop.signs = String(1000 + n)
      await probe()
    }
    const kept = await store.read.selectFrom('signed_offers').selectAll().execute()
    expect(kept).toHaveLength(20)
  })
})

async function move(from: Store, to: Store): Promise<void> {
  const folder = temporaryFolder()
  const lines: string[] = []
  await exportRecords(from, async (records) => void lines.push(...records.map((record) => JSON.stringify(record))))
  writeFileSync(join(folder, 'moved.ndjson'), lines.join('\n'))
  await importFile(to, join(folder, 'moved.ndjson'), [HOST])
  rmSync(folder, { recursive: true })
}
