import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOfferEIP712 } from '@x402/extensions/offer-receipt'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/engines.ts'
import type { Testimony, Witness } from '../wire/check-writing.ts'
import { postMessage, reviewMessage } from '../wire/signed-lines.ts'
import { verifyEvidence, verifyWriting } from './verify-writing.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
const signedAt = '2026-11-14T12:34:56Z'

async function verify(kind: string, document: unknown, witness?: Witness): Promise<{ code: number; out: string }> {
  const place = join(folder, 'document.json')
  writeFileSync(place, JSON.stringify(document))
  const written: string[] = []
  const screen = { write: (text: string) => written.push(text) > 0, isTTY: false, columns: 80 }
  const code = await verifyWriting(globalThis.fetch, kind, place, screen, witness)
  return { code, out: written.join('') }
}

const saying = (signed: Testimony, paid: Testimony): Witness => ({ signed: async () => signed, paid: async () => paid })

describe('tollbook verify post', () => {
  const said = { host: 'api.seller.example', text: 'Is it metered?' }
  const PAYMENT = {
    ...{ network: 'eip155:8453', transaction: '0xabc', payer: account.address, settlement: 'verified on chain' },
    ...{ asset: '0xasset', amount: '50000', payee: '0xpayee', log_index: 3, settled_at: '2026-11-14T12:35:00.000000Z' },
  }
  const document = async (payment: object = PAYMENT) => ({
    ...said,
    ...{ wallet: account.address, signed_at: signedAt, hidden: null, payment },
    signature: await account.signMessage({ message: postMessage({ ...said, signedAt }) }),
  })

  it('says what was paid, to whom and when, from the document alone', async () => {
    const { code, out } = await verify('post', await document())
    expect(code).toBe(0)
    const paid = `Paid 50000 of 0xasset on eip155:8453 by ${account.address} to 0xpayee: 0xabc, log 3`
    expect(out).toContain(`${paid}, settled 2026-11-14T12:35:00.000000Z.`)
  })

  it('says whose word it is that it was paid, unless a node was asked', async () => {
    const another = await document({ ...PAYMENT, amount: '60000' })
    const { out } = await verify('post', another)
    expect(out).toContain('Paid 60000 of 0xasset')
    expect(out).toMatch(/That it was paid is the directory's word: it is on chain and not looked at here\. .*--rpc-url/)
    const silent = await verify('post', another, saying('no', 'unknown'))
    expect(silent.out).toContain("That it was paid is the directory's word.")
    const held = await verify('post', await document(), saying('no', 'yes'))
    expect(held.out).not.toContain('word')
  })

  it('shows what was signed line by line, and lets no line of it pass for a finding', async () => {
    const { out } = await verify('post', await document())
    const lines = postMessage({ ...said, signedAt }).split('\n')
    expect(out).toMatch(/^The signature is 0x\w+'s over these lines:\n {2}\S/m)
    expect(out).toContain(`:\n${lines.map((line) => `  ${line}\n`).join('')}Paid `)
    const forged = await verify('post', { ...(await document()), host: 'a.example\nVerified: by nobody' })
    expect(forged.out).not.toMatch(/^Verified/m)
  })

  it('refuses a payment of another wallet than the signer', async () => {
    const { code, out } = await verify('post', await document({ ...PAYMENT, payer: '0xother' }))
    expect([code, out]).toEqual([1, expect.stringContaining("The payment is 0xother's and not the signing wallet's.")])
  })

  it('names the payment of a smart wallet whose chain was asked', async () => {
    const smart = { ...(await document()), signature: '0x1234' }
    const { code, out } = await verify('post', smart, saying('yes', 'yes'))
    expect([code, out]).toEqual([0, expect.stringMatching(/Paid 50000 of .*\nThe chain holds that transfer\.\n/)])
    expect(out).not.toContain('--rpc-url')
  })

  it('asks the named node for the transfer', async () => {
    const held = await verify('post', await document(), saying('no', 'yes'))
    expect([held.code, held.out]).toEqual([0, expect.stringContaining('The chain holds that transfer.')])
    const absent = await verify('post', await document(), saying('no', 'no'))
    expect([absent.code, absent.out]).toEqual([1, expect.stringContaining('The chain does not hold that transfer.')])
    const silent = await verify('post', await document(), saying('no', 'unknown'))
    expect([silent.code, silent.out]).toEqual([0, expect.stringContaining('The node does not say')])
  })
})

describe('tollbook verify review of a smart wallet', () => {
  const fields = { url: 'https://api.seller.example/v1', method: 'GET', rail: 'x402', rating: 4, text: 'Ok.' } as const
  const document = { ...fields, payment: null, wallet: account.address, signature: '0x1234', signed_at: signedAt }

  it('names the option that asks a node, and believes the wallet itself', async () => {
    const alone = await verify('review', document)
    expect([alone.code, alone.out]).toEqual([1, expect.stringContaining('--rpc-url')])
    const signed = await verify('review', document, saying('yes', 'unknown'))
    expect([signed.code, signed.out]).toEqual([0, expect.stringContaining('says that it signed these lines')])
    expect(signed.out).toContain(reviewMessage({ ...fields, payment: null, signedAt }).split('\n')[1])
    for (const answer of ['no', 'unknown'] as const) {
      expect((await verify('review', document, saying(answer, 'unknown'))).code).toBe(1)
    }
  })
})

describe('tollbook verify of something else', () => {
  it.each([
    ['review', { reviews: [{ id: 'r-1' }], next: null }],
    ['review', []],
    ['post', { id: 'r-1', rating: 4 }],
    ['statement', null],
    ['claim', { statements: [] }],
  ])('says that it is not the JSON of one %s, and ends with 2', async (kind, document) => {
    await expect(verify(kind, document)).rejects.toMatchObject({
      slug: 'usage',
      detail: `${join(folder, 'document.json')} is not the JSON of one ${kind}`,
      hint: `name the JSON of one ${kind}, or its address`,
    })
  })
})

describe('tollbook verify probe', () => {
  const from = async (document: unknown): Promise<{ code: number; out: string }> => {
    const written: string[] = []
    const screen = { write: (text: string) => written.push(text) > 0, isTTY: false, columns: 80 }
    const address = 'https://tollbook.example/v1/hosts/api.seller.example/probes'
    const code = await verifyEvidence(async () => Response.json(document), 'probe', address, screen)
    return { code, out: written.join('') }
  }

  it('says of an empty list why it is not verified', async () => {
    expect(await from({ probes: [], next: null })).toEqual({
      code: 1,
      out: 'There is no probe in this document that could be looked for in a log.\nNot verified.\n',
    })
  })

  it('takes nothing else for a probe', async () => {
    for (const document of [{ hosts: [] }, [], null])
      await expect(from(document)).rejects.toMatchObject({ slug: 'usage' })
  })
})

describe('tollbook verify offer', () => {
  const address = 'https://api.example.com/v1/x'
  const offered = (more: object = {}) =>
    createOfferEIP712(
      address,
      {
        ...{ acceptIndex: 0, scheme: 'exact', network: 'eip155:8453', payTo: account.address, amount: '10000' },
        ...{ asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', ...more },
      },
      (data) => account.signTypedData(data),
    )

  it('checks one by itself, in a live challenge and as a directory gives it, and asks nobody', async () => {
    const offer = await offered()
    const challenge = { x402Version: 2, extensions: { 'offer-receipt': { info: { offers: [offer] } } } }
    const given = { address, first_seen: '2026-11-14T12:34:56.000000Z', offer }
    for (const document of [
      offer,
      challenge,
      given,
      { signed_offers: [given] },
      { kind: 'asked', signed_offer: given },
    ]) {
      const { code, out } = await verify('offer', document)
      expect(code).toBe(0)
      expect(out).toContain(`The offer is 0.010000 on eip155:8453 to ${account.address} until `)
      expect(out).toContain(`It is signed by the payee that it names, ${account.address}.`)
      expect(out).toMatch(/Verified: the offer is as its seller signed it\.\n$/)
    }
  })

  it('says that a dearer price is the directory’s word, whatever it is', async () => {
    const given = { address, first_seen: '2026-11-14T12:34:56.000000Z', offer: await offered() }
    const contradiction = { kind: 'asked', signed: '0.010000', price: '9.000000', evidence: null, signed_offer: given }
    for (const document of [contradiction, { signed_offers: [given], contradictions: [contradiction] }]) {
      const { out } = await verify('offer', document)
      expect(out).toContain("That 9.000000 was asked for is the directory's word: nothing here shows it")
    }
  })

  it('refuses one with another price, of another payee, for another address, and what is none', async () => {
    const offer = await offered()
    if (offer.format !== 'eip712') throw new Error('another format')
    const dearer = { ...offer, payload: { ...offer.payload, amount: '20000' } }
    const others = await offered({ payTo: '0x00000000000000000000000000000000000000aa' })
    const elsewhere = { address: 'https://api.example.com/v1/y', first_seen: '2026-11-14T12:34:56.000000Z', offer }
    for (const document of [dearer, others, elsewhere, {}, { signed_offers: [] }, null, 'offer']) {
      const { code, out } = await verify('offer', document)
      expect([code, out]).toEqual([1, expect.stringMatching(/Not verified\.\n$/)])
    }
  })
})

it('A document at an address that never ends is read no further than any is long.', async () => {
  let sent = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    sent += 1
    if (sent > 20) controller.close()
    else controller.enqueue(new Uint8Array(1_000_000).fill(0x20))
  }
  const fetch = async () => new Response(new ReadableStream({ pull }))
  const screen = { write: () => true, isTTY: false, columns: 80 }
  const place = 'https://tollbook.example/v1/reviews/1'
  await expect(verifyWriting(fetch, 'review', place, screen)).rejects.toMatchObject({
    detail: `${place} is longer than any review, post or offer`,
  })
  expect(sent).toBeLessThan(10)
})
