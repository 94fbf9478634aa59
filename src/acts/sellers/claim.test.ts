import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { someone } from '../../../test/support/reviewing.ts'
import { aListing, aReview, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { freshSellers } from '../../../test/support/seller-server.ts'
import { HERE, HOST, OPEN_GATE, openSelling } from '../../../test/support/selling.ts'
import { Problem } from '../../domain/problem.ts'
import { holdsNow } from '../../domain/seller/proof.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { dialTcp } from '../../probe/egress/socket.ts'
import { testDoor } from '../../probe/testing/test-door.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { readClaims } from '../../store/sellers/read-claims.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { claimMessage } from '../../wire/sellers/lines.ts'

const FILE = `${HOST}/.well-known/tollbook`
const DOCUMENT = `${HOST}/.well-known/x402`

const shops = freshSellers()

/** What a refusal says. */
const refusal = async (work: Promise<unknown>): Promise<Problem> => {
  const error = await work.then(
    () => new Error('it was taken'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof Problem) return error
  throw error
}

/** What was found at each proof that was tried. */
const triedIn = ({ more }: Problem): Readonly<Record<string, string>> => {
  const tried = Array.isArray(more.tried) ? more.tried : []
  return Object.fromEntries(tried.map(({ proof, found }) => [proof, found]))
}

onEachEngine('a claim', (engine) => {
  const hostIdOf = async (store: Awaited<ReturnType<typeof engine.open>>) =>
    (await store.read.selectFrom('hosts').select('host_id').where('name', '=', HOST).executeTakeFirstOrThrow()).host_id

  it('is proven by a signature over the origin in the seller’s own document', async () => {
    const store = await engine.open()
    const { claim } = await openSelling(store, testDoor(shops.port))
    const account = someone()
    const proof = await account.signMessage({ message: `http://${HOST}` })
    shops.files.set(DOCUMENT, { body: JSON.stringify({ resources: [], ownershipProofs: [proof] }) })
    const { claim: made, isNew } = await claim(account)
    expect(isNew).toBe(true)
    expect(made).toMatchObject({ host: HOST, wallet: account.address, directory: HERE })
    expect(made.proofs).toEqual([{ proof: 'ownership', sinceUs: NOON_US, seenUs: NOON_US, untilUs: null }])
    expect((await claim(account)).isNew).toBe(false)
  })

  it('is proven by the address on a line of its own in a file of the host', async () => {
    const store = await engine.open()
    const { claim } = await openSelling(store, testDoor(shops.port))
    const account = someone()
    shops.files.set(FILE, { body: `# who may speak for us\r\n  ${account.address.toLowerCase()}  \r\n` })
    expect((await claim(account)).claim.proofs).toMatchObject([{ proof: 'file', untilUs: null }])
    expect((await refusal(claim(someone()))).slug).toBe('claim-unproven')
  })

  it('is proven by a payee of three days, with nobody at home', async () => {
    const store = await engine.open()
    const { claim, challenge } = await openSelling(store)
    const account = someone()
    await challenge([account.address], 3)
    expect((await claim(account)).claim.proofs).toMatchObject([{ proof: 'payee', untilUs: null }])
  })

  it('is refused with what was tried and what to do, and leaves nothing behind', async () => {
    const store = await engine.open()
    const { claim } = await openSelling(store, testDoor(shops.port))
    const account = someone()
    const { status, slug, hint, more, headers } = await refusal(claim(account))
    expect([status, slug]).toEqual([409, 'claim-unproven'])
    expect(more.tried).toMatchObject([
      { proof: 'ownership', found: `http://${DOCUMENT}: HTTP 404.`, to_do: expect.stringContaining('ownershipProofs') },
      { proof: 'file', found: `http://${FILE}: HTTP 404.`, to_do: expect.stringContaining(account.address) },
      { proof: 'payee', found: expect.stringContaining('No live challenge'), to_do: expect.stringContaining('3 days') },
    ])
    expect(hint).toContain('sign and send a new claim')
    expect(hint).toContain(
      `from 60 s on: the files were read at ${formatTimestamp(NOON_US)}, and are read once a minute.`,
    )
    expect(headers['Retry-After']).toBe('60')
    expect(await readClaims(store.read, await hostIdOf(store))).toEqual([])
  })

  it('is not taken from a payee that only a listing names', async () => {
    const store = await engine.open()
    const { claim } = await openSelling(store)
    const account = someone()
    const seen = { firstUs: NOON_US - 9e12, lastUs: NOON_US }
    const payee = { network: 'base', payee: account.address, asset: null, origin: 'listing' as const, ...seen }
    await saveListings(store, { listings: [], payees: [{ ...aRoute({ scheme: 'http' }), ...payee }] })
    expect(triedIn(await refusal(claim(account))).payee).toMatch(/^Only listing sources name the wallet/)
  })

  it('is not taken from a payee of one day, nor of two', async () => {
    const store = await engine.open()
    const { claim, challenge } = await openSelling(store)
    const account = someone()
    await challenge([account.address], 1)
    expect(triedIn(await refusal(claim(account))).payee).toBe(
      'Live challenges of this host named the wallet on 1 day, and 3 are needed.',
    )
    await challenge([account.address], 2)
    expect(triedIn(await refusal(claim(account))).payee).toMatch(/on 2 days, and 3 are needed/)
  })

  it('is not taken from a payee that another seller has too, and is from one of the same domain', async () => {
    const store = await engine.open()
    const { claim, challenge } = await openSelling(store)
    const [shared, own] = [someone(), someone()]
    await challenge([shared.address, own.address], 4)
    await saveListings(store, {
      listings: [aListing({ host: 'www.seller.example' }), aListing({ host: 'api.other.example' })],
    })
    await challenge([own.address], 1, 'www.seller.example')
    await challenge([shared.address], 1, 'api.other.example')
    expect(triedIn(await refusal(claim(shared))).payee).toBe(
      'The wallet is also named as a payee of 1 host under other domains: api.other.example.',
    )
    expect((await claim(own)).claim.proofs).toMatchObject([{ proof: 'payee' }])
  })

  it('is not taken from a file that redirects, names two wallets, is too large or is not there', async () => {
    const store = await engine.open()
    const { claim, clock } = await openSelling(store, testDoor(shops.port))
    const account = someone()
    const [mine, other] = [account.address, someone().address]
    shops.files.set(`evil.example/wallet`, { body: mine })
    const cases = [
      [
        { status: 301, headers: { location: 'http://evil.example/wallet' } },
        /HTTP 301, a redirect, which is not followed/,
      ],
      [{ status: 302, headers: { location: `http://${HOST}/elsewhere` }, body: mine }, /HTTP 302, a redirect/],
      [{ body: `${mine}\n${other}\n` }, /names 2 wallets, and one is taken/],
      [{ body: `${mine}\n${'x'.repeat(5000)}` }, /larger than 4096 bytes/],
      [{ body: `the wallet is ${mine}` }, /does not name the wallet on a line of its own, nor any other/],
      [{ body: other }, /names another wallet/],
      [{ body: `${mine} ${other}` }, /does not name the wallet/],
      [{ status: 404, body: mine }, /HTTP 404/],
      [{ status: 500, body: mine }, /HTTP 500/],
    ] as const
    for (const [served, found] of cases) {
      shops.files.set(FILE, served)
      expect(triedIn(await refusal(claim(account))).file).toMatch(found)
      clock.us += 61_000_000
    }
    expect(shops.asked.filter((place) => !place.startsWith(HOST))).toEqual([])
  })

  it('is not taken for a file that another host serves, nor for a signature over another origin', async () => {
    const store = await engine.open()
    const { claim } = await openSelling(store, testDoor(shops.port))
    const account = someone()
    shops.files.set('www.seller.example/.well-known/tollbook', { body: account.address })
    const elsewhere = await account.signMessage({ message: 'http://api.other.example' })
    shops.files.set(DOCUMENT, {
      body: JSON.stringify({ ownershipProofs: [elsewhere], endpoints: [`GET http://api.other.example/v1/x`] }),
    })
    const found = triedIn(await refusal(claim(account)))
    expect(found.file).toMatch(/HTTP 404/)
    expect(found.ownership).toMatch(/holds no signature of the wallet over http:\/\/api\.seller\.example/)
  })

  it('asks the very address that was looked up, once, and never one inside', async () => {
    const store = await engine.open()
    const dialled: string[] = []
    const lookups: string[] = []
    const rebinding = testDoor(shops.port, {
      connectTo: [],
      lookup: async (name) => {
        lookups.push(name)
        return [lookups.length % 2 === 1 ? '93.184.216.34' : '127.0.0.1']
      },
      dial: (address) => {
        dialled.push(address)
        return dialTcp('127.0.0.1', shops.port)
      },
    })
    const { claim } = await openSelling(store, rebinding)
    const account = someone()
    shops.files.set(FILE, { body: account.address })
    shops.files.set(DOCUMENT, { body: '{}' })
    const found = triedIn(await refusal(claim(account)))
    // The first name leads outside when it is checked, and the socket inside: what it answers is not read.
    expect(found.file).toMatch(/blocked_address/)
    // The second one leads inside already when it is looked up: nobody is called.
    expect(found.ownership).toMatch(/blocked_address/)
    expect([lookups.length, dialled]).toEqual([2, ['93.184.216.34']])
    expect(shops.asked).toEqual([])
  })

  it('is good for one host and one directory, and for ten minutes', async () => {
    const store = await engine.open()
    const { sellers, signedClaim, clock, challenge } = await openSelling(store)
    const account = someone()
    await challenge([account.address], 3)
    await saveListings(store, { listings: [aListing({ host: 'api.other.example' })] })
    const body = await signedClaim(account)
    const send = (more: object) => refusal(sellers.claim({ ...body, ...more }, OPEN_GATE))
    expect((await send({ host: 'api.other.example' })).slug).toBe('invalid-signature')
    expect((await send({ directory: undefined })).slug).toBe('invalid-signature')
    const foreign = await signedClaim(account, { directory: 'elsewhere.example' })
    const { detail, hint } = await refusal(sellers.claim(foreign, OPEN_GATE))
    expect(detail).toBe('The claim was signed for the directory elsewhere.example, and this one is tollbook.example.')
    expect(hint).toContain('directory tollbook.example')
    clock.us += 601_000_000
    expect((await send({})).slug).toBe('invalid-signed-at')
  })

  it('costs its wallet and its host once, whoever sends it again how often', async () => {
    const store = await engine.open()
    const { sellers, signedClaim, challenge, clock } = await openSelling(store)
    const account = someone()
    await challenge([account.address], 3)
    const counted: string[] = []
    const count = (name: string) => void counted.push(name)
    const body = await signedClaim(account)
    const first = await sellers.claim(body, { ...OPEN_GATE, signed: count, seller: count })
    for (const _ of [1, 2]) {
      const again = await sellers.claim(body, { ...OPEN_GATE, signed: count, seller: count })
      expect(again).toEqual({ ...first, isNew: false })
    }
    expect(counted).toEqual([account.address, HOST])
    clock.us += 1_000_000
    await sellers.claim(await signedClaim(account), { ...OPEN_GATE, signed: count, seller: count })
    expect(counted).toHaveLength(4)
  })

  it('takes no signature of another kind, no other wallet and no unknown host', async () => {
    const store = await engine.open()
    const { sellers, signedClaim, signedStatement, challenge } = await openSelling(store)
    const account = someone()
    await challenge([account.address], 3)
    const body = await signedClaim(account)
    const { signature } = await signedStatement(account)
    expect((await refusal(sellers.claim({ ...body, signature }, OPEN_GATE))).slug).toBe('invalid-signature')
    expect((await refusal(sellers.claim({ ...body, wallet: someone().address }, OPEN_GATE))).slug).toBe(
      'invalid-signature',
    )
    const unknown = await signedClaim(account, { host: 'nobody.example' })
    expect((await refusal(sellers.claim(unknown, OPEN_GATE))).slug).toBe('unknown-host')
    expect((await refusal(sellers.claim({ ...body, host: 'API.seller.example' }, OPEN_GATE))).slug).toBe(
      'invalid-field',
    )
  })

  it('signs the exact lines of the contract', () => {
    const lines = { host: HOST, wallet: '0xAb', signedAt: '2026-11-14T12:34:56Z' }
    expect(claimMessage(lines)).toBe(`claim\n${HOST}\n0xAb\n2026-11-14T12:34:56Z`)
    expect(claimMessage({ ...lines, directory: HERE })).toBe(
      `claim\n${HOST}\n0xAb\ndirectory ${HERE}\n2026-11-14T12:34:56Z`,
    )
  })

  it('is kept of two wallets that claim at once, each proven by itself', async () => {
    const store = await engine.open()
    const { claim, challenge } = await openSelling(store)
    const accounts = [someone(), someone()]
    await challenge(
      accounts.map(({ address }) => address),
      3,
    )
    const made = await Promise.all(accounts.flatMap((account) => [claim(account), claim(account)]))
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(2)
    const kept = await readClaims(store.read, await hostIdOf(store))
    expect(kept.map(({ wallet }) => wallet).toSorted()).toEqual(accounts.map(({ address }) => address).toSorted())
    expect(kept.every(({ proofs }) => proofs.length === 1 && proofs[0]?.untilUs === null)).toBe(true)
  })

  it('is one of 20 payees at a time, who take no room from those that the host names, nor on its page', async () => {
    const store = await engine.open()
    const { claim, challenge, clock } = await openSelling(store, testDoor(shops.port))
    const last = someone()
    const payees = Array.from({ length: 20 }, () => someone())
    await challenge(
      [...payees, last].map(({ address }) => address),
      3,
    )
    for (const account of payees) await claim(account)
    const refused = await refusal(claim(last))
    expect([refused.status, refused.slug]).toEqual([409, 'too-many-claims'])
    expect(refused.detail).toBe(`20 wallets speak for ${HOST} as its payees, and 20 may.`)
    expect(refused.hint).toContain('/.well-known/tollbook')
    shops.files.set(FILE, { body: last.address })
    clock.us += 61_000_000
    expect((await claim(last)).isNew).toBe(true)
    const directory = directoryOf(store)
    const shown = (await directory.hostView(HOST, { limit: 5, cursor: null }))?.seller
    expect([shown?.claimsTotal, shown?.claims.length, shown?.claims[0]?.wallet]).toEqual([21, 5, last.address])
    // On the pages of the list each is once.
    const listed: string[] = []
    let cursor: string | null = null
    do {
      const page = await directory.statements(HOST, { limit: 10, cursor })
      expect([page?.claimsTotal, page?.next, (page?.claims.length ?? 99) <= 10]).toEqual([21, null, true])
      listed.push(...(page?.claims ?? []).map(({ wallet }) => wallet))
      cursor = page?.nextOfBoth ?? null
    } while (cursor !== null && listed.length < 99)
    expect(listed.toSorted()).toEqual([...payees, last].map(({ address }) => address).toSorted())
  })

  it('finds room among 20 that the host names as soon as the host does not name them any more', async () => {
    const store = await engine.open()
    const { claim, clock } = await openSelling(store, testDoor(shops.port))
    const last = someone()
    const before = Array.from({ length: 20 }, () => someone())
    const proofs = await Promise.all(before.map((account) => account.signMessage({ message: `http://${HOST}` })))
    shops.files.set(DOCUMENT, { body: JSON.stringify({ resources: [], ownershipProofs: proofs }) })
    shops.files.set(FILE, { body: last.address })
    for (const account of before) await claim(account)
    const { detail, hint } = await refusal(claim(last))
    expect(detail).toBe(`20 wallets speak for ${HOST} by what it serves itself, and 20 may.`)
    expect(hint).toContain('/.well-known/x402')
    shops.files.delete(DOCUMENT)
    clock.us += 61_000_000
    expect((await claim(last)).isNew).toBe(true)
    const claims = await readClaims(store.read, await hostIdOf(store))
    expect(claims.filter(({ proofs }) => holdsNow(proofs).length > 0).map(({ wallet }) => wallet)).toEqual([
      last.address,
    ])
  })

  it('is looked at again each day: what no longer holds has an end, and begins anew when it is back', async () => {
    const store = await engine.open()
    const { claim, nextDay, clock, say } = await openSelling(store, testDoor(shops.port))
    const account = someone()
    shops.files.set(FILE, { body: account.address })
    await claim(account)
    await say(account)
    const proofs = async () => (await readClaims(store.read, await hostIdOf(store)))[0]?.proofs
    expect(await nextDay()).toBe(1)
    expect(await proofs()).toEqual([{ proof: 'file', sinceUs: NOON_US, seenUs: clock.us, untilUs: null }])
    const seenUs = clock.us
    shops.files.delete(FILE)
    await nextDay()
    const ended = { proof: 'file', sinceUs: NOON_US, seenUs, untilUs: clock.us }
    expect(await proofs()).toEqual([ended])
    const { status, slug, detail } = await refusal(say(account, { text: 'still here' }))
    expect([status, slug]).toEqual([403, 'seller-unproven'])
    expect(detail).toContain('does not hold any more')
    shops.files.set(FILE, { body: account.address })
    await nextDay()
    expect(await proofs()).toEqual([ended, { proof: 'file', sinceUs: clock.us, seenUs: clock.us, untilUs: null }])
    expect((await say(account, { text: 'back again' })).isNew).toBe(true)
    const kinds = await store.read
      .selectFrom('events')
      .select('kind')
      .where('kind', 'like', 'claim%')
      .orderBy('at_us')
      .execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['claim_proven', 'claim_ended', 'claim_proven'])
  })

  it('keeps a proof for three days while the host says nothing, and no longer', async () => {
    const store = await engine.open()
    const { claim, nextDay, clock } = await openSelling(store, testDoor(shops.port))
    const account = someone()
    shops.files.set(FILE, { body: account.address })
    await claim(account)
    shops.files.set(FILE, { status: 503 })
    for (const _ of [1, 2]) await nextDay()
    const proofs = async () => (await readClaims(store.read, await hostIdOf(store)))[0]?.proofs
    expect(await proofs()).toMatchObject([{ untilUs: null, seenUs: NOON_US }])
    await nextDay()
    expect(await proofs()).toMatchObject([{ untilUs: NOON_US, seenUs: NOON_US }])
    expect(clock.us).toBeGreaterThan(NOON_US)
  })

  it('makes the wallet’s own reviews of the host self-generated', async () => {
    const store = await engine.open()
    const { claim } = await openSelling(store, testDoor(shops.port))
    const account = someone()
    shops.files.set(FILE, { body: account.address })
    const review = aReview({ ...aRoute({ scheme: 'http' }), wallet: account.address, url: `http://${HOST}/v1/weather` })
    await saveEvidence(store, evidence({ reviews: [review] }))
    await claim(account)
    const row = await store.read.selectFrom('reviews').select('excluded').executeTakeFirstOrThrow()
    expect(row.excluded).toBe('self-generated')
  })
})
