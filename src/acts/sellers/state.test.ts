import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { type Engine, onEachEngine } from '../../../test/support/engines.ts'
import { someone } from '../../../test/support/reviewing.ts'
import { aListing, aPost, aProbe, aReview, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { freshSellers } from '../../../test/support/seller-server.ts'
import { HOST, OPEN_GATE, openSelling, ROUTE } from '../../../test/support/selling.ts'
import { Problem } from '../../domain/problem.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { endedTurnsOf } from '../../probe/batch.ts'
import type { Egress } from '../../probe/egress.ts'
import { isFresh, readRobots } from '../../probe/robots-file.ts'
import { testDoor } from '../../probe/testing/test-door.ts'
import { hostPage } from '../../render/html/pages/host.tsx'
import { retiredJson } from '../../render/json/statement.ts'
import { hostMarkdown } from '../../render/markdown/host.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { NO_VANTAGE_ID, storedVantage } from '../../store/probes/vantages.ts'
import { enrol } from '../../store/schedule/enrol.ts'
import { claimTurns, endTurns } from '../../store/schedule/schedule.ts'
import { hideStatement } from '../../store/sellers/hide-statement.ts'
import type { Store } from '../../store/store.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { verifyStore } from '../../store/transfer/verify.ts'
import { statementDigestMessage } from '../../wire/sellers/lines.ts'

const refusal = async (work: Promise<unknown>): Promise<Problem> => {
  const error = await work.then(
    () => new Error('it was taken'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof Problem) return error
  throw error
}

const PAGE = { limit: 50, cursor: null }

const shops = freshSellers()

/** A seller who has claimed its host, with a review and a post to answer. */
async function claimed(engine: Engine, door: Egress | null = null) {
  const store = await engine.open()
  const selling = await openSelling(store, door)
  const account = someone()
  await selling.challenge([account.address], 3)
  await saveEvidence(
    store,
    evidence({
      reviews: [aReview({ ...aRoute({ scheme: 'http' }), url: `http://${HOST}/v1/weather` })],
      posts: [aPost()],
    }),
  )
  await selling.claim(account)
  return { store, account, ...selling }
}

const differences = async (store: Store): Promise<unknown[]> => {
  const found: unknown[] = []
  await verifyStore(store, (one) => found.push(one))
  return found
}

onEachEngine('a statement', (engine) => {
  it('answers a review and a post, one under each; a newer one takes its place and the old one stays', async () => {
    const { store, account, say, clock } = await claimed(engine)
    await say(account, { kind: 'reply', about: 'review review-1', text: 'Sorry about that.' })
    clock.us += 1_000_000
    const newer = await say(account, { kind: 'reply', about: 'review review-1', text: 'Fixed today.' })
    await say(account, { kind: 'reply', about: 'post post-1', text: 'Yes, 10 a second.' })
    expect(newer.isNew).toBe(true)
    const directory = directoryOf(store)
    const view = await directory.hostView(HOST, PAGE)
    const reviews = view?.routes.flatMap((route) => route.reviews) ?? []
    expect(reviews.map(({ reply }) => reply?.text)).toEqual(['Fixed today.'])
    expect(view?.thread.posts.map(({ reply }) => reply?.text)).toEqual(['Yes, 10 a second.'])
    expect((await directory.review('review-1'))?.review.reply?.text).toBe('Fixed today.')
    expect((await directory.post('post-1'))?.post.reply?.text).toBe('Yes, 10 a second.')
    expect((await directory.reviews(HOST, PAGE))?.items[0]?.reply?.text).toBe('Fixed today.')
    expect((await directory.thread(HOST, PAGE))?.items[0]?.reply?.text).toBe('Yes, 10 a second.')
    const all = await directory.statements(HOST, PAGE)
    expect(all?.items.map(({ text }) => text).toSorted()).toEqual([
      'Fixed today.',
      'Sorry about that.',
      'Yes, 10 a second.',
    ])
    expect(await differences(store)).toEqual([])
  })

  it('stands beside the row that it disputes, and no count changes by any of it', async () => {
    const { store, account, say } = await claimed(engine)
    // All but the numbers that every write moves.
    const counts = async () => {
      const row = await store.read.selectFrom('host_counters').selectAll().executeTakeFirstOrThrow()
      const { version: _version, log_id: _log, ...counted } = row
      return counted
    }
    const before = await counts()
    await say(account, { kind: 'correct', about: ROUTE, text: 'It costs 0.02 now.' })
    await say(account, { kind: 'correct', about: `${ROUTE} bazaar`, text: 'bazaar is behind.' })
    await say(account, { text: 'help@seller.example' })
    const view = await directoryOf(store).hostView(HOST, PAGE)
    const [, weather] = view?.routes ?? []
    expect(weather?.said?.map(({ text }) => text).toSorted()).toEqual(['It costs 0.02 now.', 'bazaar is behind.'])
    expect(view?.seller.said.map(({ text }) => text)).toEqual(['help@seller.example'])
    expect(await counts()).toEqual(before)
  })

  it('is shown beside the newer one of another wallet where they differ, while both may speak', async () => {
    const { store, account, say, claim, challenge, clock } = await claimed(engine)
    const other = someone()
    await challenge([account.address, other.address], 5)
    await claim(other)
    const saying = async (by: typeof account, text: string, more = {}) => {
      clock.us += 1_000_000
      await say(by, { text, ...more })
    }
    const view = async () => (await directoryOf(store).hostView(HOST, PAGE)) ?? null
    const contacts = async () => (await view())?.seller.said.map(({ text, wallet }) => [text, wallet])
    await saying(account, 'old@seller.example')
    await saying(account, 'help@seller.example')
    await saying(other, 'thief@seller.example')
    expect(await contacts()).toEqual([
      ['thief@seller.example', other.address],
      ['help@seller.example', account.address],
    ])
    await saying(account, 'It costs 0.02.', { kind: 'correct', about: ROUTE })
    await saying(other, 'It costs 0.03.', { kind: 'correct', about: ROUTE })
    const said = (await view())?.routes.flatMap((route) => route.said?.map(({ text }) => text) ?? [])
    expect(said).toEqual(['It costs 0.03.', 'It costs 0.02.'])
    await saying(other, 'help@seller.example')
    expect(await contacts()).toEqual([['help@seller.example', other.address]])
  })

  it('retires a dead host by its payee’s signature alone: out of search and sitemap, all evidence kept', async () => {
    const { store, account, say } = await claimed(engine)
    await saveListings(store, { listings: [aListing({ host: 'api.alive.example' })] })
    const directory = directoryOf(store)
    const found = async (retired: 'with' | 'only' | null, q: string | null = null) =>
      (await directory.hosts({ ...ALL_HOSTS, retired, q })).items.map(({ host }) => host)
    const evidenceOf = async () => {
      const view = await directory.hostView(HOST, PAGE)
      return { counters: view?.counters, results: view?.results, reviews: view?.reviewCounts }
    }
    const before = await evidenceOf()
    await say(account, { kind: 'retire', about: HOST, text: '' })
    expect(await found(null)).toEqual(['api.alive.example'])
    expect(await found(null, 'weather')).toEqual(['api.alive.example'])
    expect(await found('with')).toEqual(['api.alive.example', HOST])
    expect(await found('only')).toEqual([HOST])
    const mapped: string[] = []
    for await (const rows of directory.cataloguePart(1, 1)) mapped.push(...rows.map(({ host }) => host))
    expect(mapped).toEqual(['api.alive.example'])
    expect(await evidenceOf()).toEqual(before)
    const view = await directory.hostView(HOST, PAGE)
    expect(view?.seller.retired).toMatchObject({ sinceUs: NOON_US, movedTo: null })
    const decision = await directory.decision(HOST, aRoute({ scheme: 'http' }))
    expect(decision?.known.retired).toMatchObject({ sinceUs: NOON_US, movedTo: null })
    expect(await differences(store)).toEqual([])
  })

  it('retires one route, which does not speak for the host’s now any more, and sells it again when a probe is asked for', async () => {
    const { store, account, say, clock } = await claimed(engine)
    const route = aRoute({ scheme: 'http', path: '/v1/old' })
    await saveEvidence(store, evidence({ probes: [aProbe({ ...route, atUs: NOON_US - 5, httpStatus: 500 })] }))
    const directory = directoryOf(store)
    const now = async () => (await directory.hostView(HOST, PAGE))?.now
    expect(await now()).toMatchObject({ httpStatus: 500, of: 2 })
    const old = `GET http://${HOST}/v1/old x402`
    await say(account, { kind: 'retire', about: old, text: 'Use /v1/weather.' })
    expect(await now()).toMatchObject({ httpStatus: 402, of: 1 })
    const [shown] = (await directory.hostView(HOST, PAGE))?.routes ?? []
    expect([shown?.path, shown?.retired?.sinceUs, shown?.said?.[0]?.text]).toEqual([
      '/v1/old',
      NOON_US,
      'Use /v1/weather.',
    ])
    expect(await differences(store)).toEqual([])
    clock.us += 1_000_000
    await say(account, { kind: 'probe', about: old, text: '' })
    expect(await now()).toMatchObject({ httpStatus: 500, of: 2 })
    expect(await differences(store)).toEqual([])
  })

  it('has what is retired probed once a week, and what a probe is asked for within a minute, six times an hour', async () => {
    const { store, account, say, clock } = await claimed(engine)
    const intervalUs = 6 * 3_600_000_000
    await enrol(store, -1, { vantage: await storedVantage(store, null), methods: ['GET'], intervalUs, nowUs: clock.us })
    const turn = async () => {
      const claim = { vantageId: NO_VANTAGE_ID, leaseUs: 60_000_000, mostHosts: 5, routesPerHost: 5, within: null }
      const turns = await claimTurns(store, { ...claim, lease: `l-${clock.us}`, nowUs: clock.us })
      return turns[0]
    }
    await say(account, { kind: 'retire', about: ROUTE, text: '' })
    clock.us += intervalUs
    const first = await turn()
    const route = first?.routes.find(({ path }) => path === '/v1/weather')
    expect(route?.isRetired).toBe(true)
    if (first === undefined || route === undefined) throw new Error('nothing is due')
    const skipped = first.routes.map((one) => ({ route: one, why: 'robots' as const }))
    const visited = { turn: first, probed: [], skipped, notBeforeUs: clock.us, robots: readRobots(null), readings: [] }
    const ended = endedTurnsOf([visited], intervalUs)
    const dueUs = ended[0]?.routes.find(({ routeId }) => routeId === route.routeId)?.dueUs ?? 0
    expect(dueUs - clock.us).toBeGreaterThanOrEqual(3.5 * DAY_US)
    await store.write((writer) => endTurns(writer, store.dialect, ended))
    for (let n = 0; n < 6; n++) {
      clock.us += 1_000_000
      expect((await say(account, { kind: 'probe', about: ROUTE, text: '' })).isNew).toBe(true)
    }
    const asked = (await turn())?.routes.filter(({ path }) => path === '/v1/weather')
    expect(asked?.map(({ isRetired }) => isRetired)).toEqual([false])
    clock.us += 1_000_000
    const often = await refusal(say(account, { kind: 'probe', about: ROUTE, text: '' }))
    expect([often.status, often.headers['Retry-After']]).toEqual([429, '600'])
    clock.us += 3_600_000_000
    expect((await say(account, { kind: 'probe', about: ROUTE, text: '' })).isNew).toBe(true)
  })

  it('has robots.txt read again where a probe is asked for, and its rules kept until it is', async () => {
    const { store, account, say, clock } = await claimed(engine)
    await enrol(store, -1, {
      ...{ vantage: await storedVantage(store, null), methods: ['GET'], intervalUs: DAY_US, nowUs: clock.us },
    })
    const rules = [{ allow: false, pattern: '/' }]
    const robots = JSON.stringify({ http: { staleUs: clock.us + DAY_US, rules } })
    await store.write((writer) => writer.updateTable('host_turns').set({ robots }).execute())
    await say(account, { kind: 'probe', about: ROUTE, text: '' })
    const [turn] = await store.read.selectFrom('host_turns').select('robots').execute()
    const known = readRobots(turn?.robots ?? null)
    expect(known.http?.rules).toEqual(rules)
    expect(isFresh(known, 'http', clock.us)).toBe(false)
  })

  it('says that a host moved only to one that the same wallet has claimed; no evidence moves', async () => {
    const { store, account, say, claim, clock } = await claimed(engine, testDoor(shops.port))
    const moved = { kind: 'moved', about: 'api.shop.example', text: 'New name, same service.' } as const
    const unknown = await refusal(say(account, moved))
    expect([unknown.status, unknown.detail]).toEqual([409, 'No listing source has named api.shop.example.'])
    await saveListings(store, { listings: [aListing({ host: 'api.shop.example', scheme: 'http' })] })
    const unclaimed = await refusal(say(account, moved))
    expect(unclaimed.detail).toBe(`${account.address} has not proved to speak for api.shop.example.`)
    expect(unclaimed.hint).toContain('Claim api.shop.example with the same wallet first')
    shops.files.set('api.shop.example/.well-known/tollbook', { body: account.address })
    await claim(account, 'api.shop.example')
    await say(account, moved)
    const directory = directoryOf(store)
    const [old, fresh] = [await directory.hostView(HOST, PAGE), await directory.hostView('api.shop.example', PAGE)]
    expect(old?.seller.retired).toMatchObject({ movedTo: 'api.shop.example' })
    expect([old?.counters.machineEvidenceRows, old?.counters.agentReviews]).toEqual([3, 1])
    expect([fresh?.counters.machineEvidenceRows, fresh?.counters.agentReviews]).toEqual([0, 0])
    expect((await directory.hosts(ALL_HOSTS)).items.map(({ host }) => host)).toEqual(['api.shop.example'])
    const back = { host: 'api.shop.example', kind: 'moved', about: HOST, text: '' } as const
    expect((await refusal(say(account, back))).detail).toBe(`${HOST} is itself retired by its seller.`)
    clock.us += 1_000_000
    await say(account, { kind: 'probe', about: ROUTE, text: '' })
    await say(account, back)
    expect((await directory.hosts(ALL_HOSTS)).items.map(({ host }) => host)).toEqual([HOST])
  })

  it('leads to the new host only as long as the same wallet speaks for that one, too', async () => {
    const { store, account, say, claim, nextDay } = await claimed(engine, testDoor(shops.port))
    const file = 'api.shop.example/.well-known/tollbook'
    await saveListings(store, { listings: [aListing({ host: 'api.shop.example', scheme: 'http' })] })
    shops.files.set(file, { body: account.address })
    await claim(account, 'api.shop.example')
    await say(account, { kind: 'moved', about: 'api.shop.example', text: '' })
    const directory = directoryOf(store)
    const shown = async () => {
      const view = await directory.hostView(HOST, PAGE)
      if (view === undefined) throw new Error('it is listed')
      const site = { baseUrl: 'https://tollbook.example' }
      const { retired } = view.seller
      const html = hostPage(site, view, { cards: false, cursor: null })
      const markdown = hostMarkdown(site, view, { cards: false })
      const line = retired === null ? '' : retiredJson(site, retired).line
      return { movedTo: retired && retiredJson(site, retired).moved_to, line, html, markdown }
    }
    const listed = async () =>
      (await directory.hosts({ ...ALL_HOSTS, retired: 'only' })).items.map((row) => row.retired)
    const before = await shown()
    expect([before.movedTo, before.html.includes('href="/hosts/api.shop.example"')]).toEqual(['api.shop.example', true])
    expect(await listed()).toMatchObject([{ movedTo: 'api.shop.example' }])
    const version = await directory.hostVersion(HOST)
    shops.files.set(file, { body: someone().address })
    await nextDay()
    const after = await shown()
    expect(after.movedTo).toBeNull()
    expect(await listed()).toMatchObject([{ movedTo: null, isMoveLost: true }])
    expect(after.line).toMatch(/^Moved, the seller said on .*, to a host that is no longer claimed by the same wallet$/)
    expect(after.html).not.toContain('href="/hosts/api.shop.example"')
    for (const text of [after.html, after.markdown]) expect(text).toContain('no longer claimed by the same wallet')
    // Pages that were made before are not shown any more.
    expect(await directory.hostVersion(HOST)).toBeGreaterThan(version ?? 0)
    shops.files.set(file, { body: account.address })
    await nextDay()
    expect((await shown()).movedTo).toBe('api.shop.example')
  })

  it('is taken from nobody without a proof, nor with a signature of another kind, host, text or directory', async () => {
    const { account, sellers, say, signedStatement, signedClaim } = await claimed(engine)
    const stranger = await refusal(say(someone()))
    expect([stranger.status, stranger.slug]).toEqual([403, 'seller-unproven'])
    expect(stranger.hint).toContain('/v1/claims')
    const body = await signedStatement(account)
    const send = (more: object) => refusal(sellers.state(HOST, { ...body, ...more }, OPEN_GATE))
    const { signature } = await signedClaim(account)
    const wrong = [
      { signature },
      { text: 'other' },
      { kind: 'retire' },
      { wallet: someone().address },
      { directory: undefined },
    ]
    for (const more of wrong) expect((await send(more)).slug).toBe('invalid-signature')
    expect((await send({ directory: 'elsewhere.example' })).detail).toContain(
      'signed for the directory elsewhere.example',
    )
    expect((await refusal(sellers.state('nobody.example', { ...body, about: 'nobody.example' }, OPEN_GATE))).slug).toBe(
      'unknown-host',
    )
  })

  it('is about something that is here, or is refused with what is missing', async () => {
    const { account, say } = await claimed(engine)
    const slugOf = async (more: Parameters<typeof say>[1]) => (await refusal(say(account, more))).slug
    expect(await slugOf({ kind: 'reply', about: 'review none' })).toBe('unknown-writing')
    expect(await slugOf({ kind: 'reply', about: 'post none' })).toBe('unknown-writing')
    expect(await slugOf({ kind: 'reply', about: 'everybody' })).toBe('invalid-field')
    expect(await slugOf({ kind: 'retire', about: `GET http://${HOST}/no x402` })).toBe('unknown-route')
    expect(await slugOf({ kind: 'retire', about: 'GET http://api.other.example/v1/weather x402' })).toBe(
      'invalid-field',
    )
    expect(await slugOf({ kind: 'correct', about: `${ROUTE} nobody` })).toBe('statement-without-effect')
    expect(await slugOf({ kind: 'probe', about: `${ROUTE} bazaar` })).toBe('invalid-field')
    expect(await slugOf({ kind: 'contact', about: 'api.other.example' })).toBe('invalid-field')
  })

  it('is one statement however often it is sent, also long after it was signed', async () => {
    const { account, sellers, signedStatement, clock } = await claimed(engine)
    const body = await signedStatement(account)
    const sent = await Promise.all([1, 2, 3].map(() => sellers.state(HOST, body, OPEN_GATE)))
    expect(sent.filter(({ isNew }) => isNew)).toHaveLength(1)
    clock.us += DAY_US
    expect((await sellers.state(HOST, body, OPEN_GATE)).isNew).toBe(false)
    const late = await refusal(sellers.state(HOST, { ...body, signature: `0x${'11'.repeat(65)}` }, OPEN_GATE))
    expect(late.slug).toBe('invalid-signed-at')
  })

  it('costs its wallet once, whoever sends it again how often', async () => {
    const { account, sellers, signedStatement, clock } = await claimed(engine)
    const counted: string[] = []
    const gate = { ...OPEN_GATE, signed: (wallet: string) => void counted.push(wallet) }
    const body = await signedStatement(account)
    for (const _ of [1, 2, 3]) await sellers.state(HOST, body, gate)
    clock.us += DAY_US
    await sellers.state(HOST, body, gate)
    expect(counted).toEqual([account.address])
    await sellers.state(HOST, await signedStatement(account), gate)
    expect(counted).toHaveLength(2)
  })

  it('is taken down by the operator with its effect, and says when and why', async () => {
    const { store, account, say } = await claimed(engine)
    const { statement } = await say(account, { kind: 'retire', about: HOST, text: 'rude words' })
    await hideStatement(store, statement.id, NOON_US + 5, 'names a private person')
    const directory = directoryOf(store)
    const page = await directory.statement(statement.id)
    expect(page?.statement).toMatchObject({ text: '', hidden: { atUs: NOON_US + 5, reason: 'names a private person' } })
    expect((await directory.hostView(HOST, PAGE))?.seller).toMatchObject({ retired: null, said: [] })
    expect((await directory.hosts(ALL_HOSTS)).items.map(({ host }) => host)).toEqual([HOST])
    expect(await differences(store)).toEqual([])
  })

  it('signs the exact lines of the contract', () => {
    const lines = { host: HOST, kind: 'retire', about: ROUTE, signedAt: '2026-11-14T12:34:56Z' } as const
    expect(statementDigestMessage(lines, 'ab')).toBe(`statement\n${HOST}\nretire\n${ROUTE}\nab\n2026-11-14T12:34:56Z`)
    expect(
      statementDigestMessage({ ...lines, directory: 'here' }, 'ab')
        .split('\n')
        .at(-2),
    ).toBe('directory here')
  })
})
