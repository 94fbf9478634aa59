import { createHash } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { addSeller } from '../add-seller.ts'
import { sweepOnce } from '../ingester.ts'
import type { SourceConfig } from '../source.ts'
import { ingestingWith } from '../testing/ingesting.ts'
import { type Loopback, sendJson, serve } from '../testing/loopback.ts'

const HOUR_US = 3_600_000_000
const WELL_KNOWN: SourceConfig = { name: 'well-known', kind: 'well-known', address: '' }
const CHILD = 'api.p1.example'
const PARENT = 'p1.example'
/** What the parent has at the second address. */
const SECOND = `${PARENT}.json`

const paid = (resource: string, price = '$0.01') => ({ resource, price, network: 'base' })

onEachEngine('rows of sellers’ own documents', (engine) => {
  const servers: Loopback[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  /** Sellers with a document each, which is sent with its version; a number is a status instead. */
  const world = async (documents: Record<string, object | number | string>) => {
    const server = await serve((url, response, request) => {
      const at = url.pathname.replace('/.well-known/x402', url.host)
      const document = documents[at] ?? 404
      if (typeof document === 'number') return response.writeHead(document).end()
      if (typeof document === 'string') return response.writeHead(200).end(document)
      const etag = `"${createHash('sha256').update(JSON.stringify(document)).digest('hex')}"`
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
      else sendJson(response, document, { etag })
    })
    servers.push(server)
    const store = await engine.open()
    const ingesting = ingestingWith(store, server.fetch, NOON_US)
    const listings = Object.keys(documents).map((host) => aListing({ host, source: 'bazaar', path: '/known' }))
    await saveListings(store, { listings })
    const sweep = () => {
      ingesting.later(HOUR_US)
      return sweepOnce(ingesting, WELL_KNOWN)
    }
    /** What the documents' source still names on a host. */
    const named = async (host: string): Promise<string[]> => {
      const view = await directoryOf(store).hostView(host, { limit: 50, cursor: null })
      const rows = view?.routes.flatMap(({ path, listings: all }) =>
        all.flatMap(({ source, price, goneUs }) =>
          source === 'well-known' && goneUs === undefined ? [`${path} ${price}`] : [],
        ),
      )
      return (rows ?? []).sort()
    }
    return { store, ingesting, sweep, named, documents }
  }

  it('end with a price that a seller stated for a while, and that was read outside of sweeps', async () => {
    const { ingesting, sweep, named, documents } = await world({ [PARENT]: { resources: [paid('/a', '$0.05')] } })
    const usual = documents[PARENT] ?? 0
    await sweep()
    documents[PARENT] = { resources: [paid('/a', '$0.001')] }
    await addSeller(ingesting, PARENT)
    documents[PARENT] = usual
    expect(await sweep()).toMatchObject({ status: 'complete', answers: { document: 1 } })
    expect(await named(PARENT)).toEqual(['/a 50000'])
    expect(await sweep()).toMatchObject({ status: 'complete', answers: { not_modified: 1 } })
    expect(await named(PARENT)).toEqual(['/a 50000'])
  })

  it('end when the document that named them does not any more, though that of their own host is unchanged', async () => {
    const { sweep, named, documents } = await world({
      [CHILD]: { resources: [paid('/a'), paid('/b')] },
      [PARENT]: { resources: [paid(`https://${CHILD}/c`), paid('/own')] },
    })
    await sweep()
    expect(await named(CHILD)).toEqual(['/a 10000', '/b 10000', '/c 10000'])
    documents[PARENT] = { resources: [paid('/own')] }
    await sweep()
    expect(await named(CHILD)).toEqual(['/a 10000', '/b 10000'])
    expect(await sweep()).toMatchObject({ answers: { not_modified: 2 } })
    expect(await named(CHILD)).toEqual(['/a 10000', '/b 10000'])
  })

  it('stay when the seller says nothing, whatever the document of a name above it says of the same host', async () => {
    const { store, sweep, named, documents } = await world({
      [CHILD]: { resources: [paid('/a'), paid('/b')] },
      [PARENT]: { resources: [paid(`https://${CHILD}/c`)] },
    })
    const all = ['/a 10000', '/b 10000', '/c 10000']
    await sweep()
    for (const silent of [500, { error: 'busy' }, { resources: [{ address: '/a' }] }]) {
      documents[CHILD] = silent
      expect(await sweep()).toMatchObject({ status: 'complete' })
      expect(await named(CHILD)).toEqual(all)
    }
    expect(await store.read.selectFrom('unlisted').selectAll().execute()).toEqual([])
    documents[CHILD] = { resources: [paid('/a'), paid('/b')] }
    await sweep()
    documents[CHILD] = { resources: [paid('/b')] }
    await sweep()
    expect(await named(CHILD)).toEqual(['/b 10000', '/c 10000'])
    expect(await store.read.selectFrom('unlisted').selectAll().execute()).toHaveLength(1)
  })

  it('end when the seller says that it has none, while that is not most of what its source has', async () => {
    const { sweep, named, documents } = await world({
      [CHILD]: { resources: [paid('/a'), paid('/b')] },
      [PARENT]: { resources: [paid('/own')] },
    })
    await sweep()
    documents[CHILD] = { resources: [] }
    for (const _ of [1, 2]) {
      expect(await sweep()).toMatchObject({ status: 'complete' })
      expect(await named(CHILD)).toEqual([])
    }
    documents[PARENT] = { resources: [] }
    expect(await sweep()).toMatchObject({ status: 'collapsed' })
    expect(await named(PARENT)).toEqual(['/own 10000'])
  })

  it('end on a host without a document when the one that names it drops some of them', async () => {
    const { sweep, named, documents } = await world({
      [CHILD]: 404,
      [PARENT]: { resources: [paid(`https://${CHILD}/c`), paid(`https://${CHILD}/d`)] },
    })
    await sweep()
    documents[PARENT] = { resources: [paid(`https://${CHILD}/c`)] }
    await sweep()
    expect(await named(CHILD)).toEqual(['/c 10000'])
  })

  it('end on a host without a document when the one that names it drops the last of them, and not while that is silent', async () => {
    const { store, sweep, named, documents } = await world({
      [CHILD]: 404,
      [PARENT]: { resources: [paid(`https://${CHILD}/c`), paid('/own')] },
    })
    await sweep()
    for (const silent of [500, { error: 'busy' }]) {
      documents[PARENT] = silent
      await sweep()
      expect(await named(CHILD)).toEqual(['/c 10000'])
    }
    documents[PARENT] = { resources: [paid('/own')] }
    await sweep()
    expect(await named(CHILD)).toEqual([])
    expect(await store.read.selectFrom('unlisted').selectAll().execute()).toHaveLength(1)
  })

  it('announce another price of their source when the lower of two ends, and none when the higher does', async () => {
    const [low, high] = [paid('/a', '$0.03'), paid('/a', '$0.09')]
    const { store, sweep, named, documents } = await world({ [PARENT]: { resources: [low, high] } })
    const changes = async (): Promise<string[]> => {
      const events = store.read.selectFrom('events').select(['kind', 'data']).orderBy('at_us')
      return (await events.execute()).flatMap(({ kind, data }) => {
        const { source, network, from, to } = JSON.parse(data)
        return kind === 'price_changed' ? [`${source} ${network} ${from} ${to}`] : []
      })
    }
    await sweep()
    documents[PARENT] = { resources: [high] }
    await sweep()
    expect(await named(PARENT)).toEqual(['/a 90000'])
    const up = 'well-known base 0.030000 0.090000'
    expect(await changes()).toEqual([up])
    documents[PARENT] = { resources: [low, high] }
    await sweep()
    documents[PARENT] = { resources: [low] }
    await sweep()
    expect(await named(PARENT)).toEqual(['/a 30000'])
    expect(await changes()).toEqual([up, 'well-known base 0.090000 0.030000'])
  })

  it('stay while the address that had them is out of order, whatever the second one says', async () => {
    const { sweep, named, documents } = await world({
      [PARENT]: { resources: [paid('/a')] },
      [CHILD]: { resources: [paid('/b')] },
    })
    await sweep()
    documents[SECOND] = { resources: [paid('/c')] }
    for (const broken of [500, 'no JSON']) {
      documents[PARENT] = broken
      expect(await sweep()).toMatchObject({ status: 'complete' })
      expect(await named(PARENT)).toEqual(['/a 10000'])
    }
    documents[PARENT] = 404
    await sweep()
    expect(await named(PARENT)).toEqual(['/c 10000'])
  })
})
