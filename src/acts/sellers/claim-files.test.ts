import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { someone } from '../../../test/support/reviewing.ts'
import { freshSellers } from '../../../test/support/seller-server.ts'
import { HOST, openSelling } from '../../../test/support/selling.ts'
import { Problem } from '../../domain/problem.ts'
import { holdsNow } from '../../domain/seller/proof.ts'
import { testDoor } from '../../probe/testing/test-door.ts'
import { findHostId } from '../../store/host-id.ts'
import { readClaims } from '../../store/sellers/read-claims.ts'

const FILE = `${HOST}/.well-known/tollbook`
const DOCUMENT = `${HOST}/.well-known/x402`

const shops = freshSellers()

onEachEngine('a claim by what the host serves', (engine) => {
  it('is proven by a document that says nothing is sold any more, and by one of OpenAPI', async () => {
    const store = await engine.open()
    const { claim, clock } = await openSelling(store, testDoor(shops.port))
    const proven = async (document: object) => {
      const account = someone()
      const ownershipProofs = [await account.signMessage({ message: `http://${HOST}` })]
      shops.files.set(DOCUMENT, { body: JSON.stringify({ ...document, ownershipProofs }) })
      clock.us += 61_000_000
      return (await claim(account)).claim.proofs
    }
    const holds = [{ proof: 'ownership', untilUs: null }]
    expect(await proven({ accepts_payment: false })).toMatchObject(holds)
    expect(await proven({ openapi: '3.1.0', info: {}, paths: {} })).toMatchObject(holds)
    expect(await proven({})).toMatchObject(holds)
  })

  it('is proven by a file as Windows writes it', async () => {
    const store = await engine.open()
    const { claim, clock } = await openSelling(store, testDoor(shops.port))
    const text = (account: { address: string }) => `\uFEFF${account.address}\r\n`
    const written = [
      (account: { address: string }) => Buffer.from(text(account)),
      (account: { address: string }) => Buffer.from(text(account), 'utf16le'),
      (account: { address: string }) => Buffer.from(text(account), 'utf16le').swap16(),
    ]
    for (const write of written) {
      const account = someone()
      shops.files.set(FILE, { body: write(account) })
      clock.us += 61_000_000
      expect((await claim(account)).claim.proofs).toMatchObject([{ proof: 'file', untilUs: null }])
    }
  })

  it('is told to ask the operator where the host is not called, and what was proven before stays for three days', async () => {
    const store = await engine.open()
    const out = { is: true }
    const { claim, clock, nextDay } = await openSelling(store, testDoor(shops.port), () => out.is)
    const account = someone()
    shops.files.set(FILE, { body: account.address })
    const refused = await claim(account).catch((error: unknown) => error)
    if (!(refused instanceof Problem)) throw refused
    const { more, hint } = refused
    expect(more.tried).toMatchObject([
      {
        proof: 'ownership',
        to_do: expect.stringMatching(/^Ask the operator \(\/policy\) to call this host again\. Put/),
      },
      { proof: 'file', to_do: expect.stringMatching(/^Ask the operator \(\/policy\) to call this host again\. Serve/) },
      { proof: 'payee', to_do: expect.stringMatching(/^Ask for payment/) },
    ])
    expect(hint).toContain('Ask the operator')
    expect(shops.asked).toEqual([])
    out.is = false
    clock.us += 61_000_000
    await claim(account)
    out.is = true
    for (const isOpen of [true, true, false]) {
      await nextDay()
      const [kept] = await readClaims(store.read, (await findHostId(store.read, HOST)) ?? 0)
      expect(holdsNow(kept?.proofs ?? []).length > 0).toBe(isOpen)
    }
  })
})
