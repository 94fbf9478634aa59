import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createOfferEIP712 } from '@x402/extensions/offer-receipt'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Evidence } from '../src/store/transfer/evidence.ts'
import { saveEvidence } from '../src/store/transfer/save-evidence.ts'
import { readSignedOffer } from '../src/wire/offers/read-offers.ts'
import { claimMessage, statementDigestMessage } from '../src/wire/sellers/lines.ts'
import { postMessage, reviewMessage, textDigest } from '../src/wire/signed-lines.ts'
import { temporaryFolder } from './support/engines.ts'
import { type FilledProgram, startFilledProgram } from './support/filled-program.ts'
import { ROOT, tollbook } from './support/program.ts'
import {
  aChallenge,
  aClaim,
  aListing,
  anOffer,
  aPost,
  aProbe,
  aReview,
  aStatement,
  evidence,
} from './support/samples.ts'

const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
const ADDRESS = 'https://api.seller.example/v1/weather'

/** Everything that somebody signs, truly signed. */
async function signedEvidence(): Promise<Partial<Evidence>> {
  const sign = (message: string) => account.signMessage({ message })
  const [review, post, claim, statement] = [aReview(), aPost(), aClaim(), aStatement()]
  const wallet = account.address.toLowerCase()
  const lines = {
    review: reviewMessage(review.signedAt === null ? never() : { ...review, signedAt: review.signedAt }),
    post: postMessage(post),
    claim: claimMessage({ ...claim, wallet: account.address }),
    statement: statementDigestMessage(statement, textDigest(statement.text)),
  }
  const offer = await createOfferEIP712(
    ADDRESS,
    {
      ...{ acceptIndex: 0, scheme: 'exact', network: 'eip155:8453', payTo: account.address, amount: '10000' },
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    },
    (data) => account.signTypedData(data),
  )
  const payment = { ...post.payment, payer: wallet }
  return {
    reviews: [{ ...review, wallet, signature: await sign(lines.review) }],
    posts: [{ ...post, wallet, payment, signature: await sign(lines.post) }],
    claims: [{ ...claim, wallet, walletLine: account.address, signature: await sign(lines.claim) }],
    statements: [{ ...statement, wallet, signature: await sign(lines.statement) }],
    signedOffers: [anOffer({ offer: readSignedOffer(offer) ?? never() })],
  }
}

function never(): never {
  throw new Error('a sample is not what it should be')
}

let program: FilledProgram
const folder = temporaryFolder()
beforeAll(async () => {
  program = await startFilledProgram({}, async (store, nowUs) => {
    const at = { atUs: nowUs - 1_000_000, challenge: aChallenge(10_000) }
    await saveEvidence(store, evidence({ listings: [aListing()], probes: [aProbe(at)], ...(await signedEvidence()) }))
  })
})
afterAll(async () => {
  await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

const audit = (into: string) => tollbook(['audit', program.address, '--folder', join(folder, into)], {})

const PROVEN = /^In the log at \d+: proven for the checkpoint of \d+ entries by \S+$/m

/** The directory behind somebody who changes one word. */
async function startLying(address: string, truth: string, lie: string) {
  const server = createServer(async (request, answer) => {
    const honest = await fetch(`${address}${request.url}`, { headers: { Accept: 'application/json, */*;q=0.5' } })
    const bytes = Buffer.from(await honest.arrayBuffer())
    const isPage = request.url?.startsWith('/v1/')
    answer.writeHead(honest.status).end(isPage ? bytes.toString().replace(truth, lie) : bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  return { address: `http://127.0.0.1:${at.port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

describe('tollbook audit', () => {
  it('says that everything follows from the log, and goes on from what it saw', async () => {
    const first = await audit('one')
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(
      /First checkpoint seen: \d+ entries\.\nEverything that is compared follows from the log: .*\nNot compared: .*\n$/,
    )
    const second = await audit('one')
    expect(second.out).toMatch(/Goes on from the checkpoint of \d+ entries that was seen last\./)
  })

  it('proves single pieces of every kind', async () => {
    const host = '/v1/hosts/api.seller.example'
    const route = `/hosts/api.seller.example/route?${new URLSearchParams({ method: 'GET', path: '/v1/weather', rail: 'x402', format: 'json' })}`
    for (const [kind, path, verified] of [
      ['probe', `${host}/probes`, 'Verified: the log has 1 entry.'],
      ['listing', `${host}/routes`, 'Verified: the log has 1 entry.'],
      ['review', '/v1/reviews/review-1', 'Verified: the review is as its wallet signed it.'],
      ['post', '/v1/posts/post-1', 'Verified: the post is as its wallet signed it.'],
      ['statement', '/v1/statements/statement-1', 'Verified: the statement is as its wallet signed it.'],
      ['claim', `${host}/statements`, 'Verified: the claim is as its wallet signed it.'],
      ['offer', route, 'Verified: the offer is as its seller signed it.'],
    ]) {
      const { code, out } = await tollbook(['verify', `${kind}`, `${program.address}${path}`], {})
      expect({ kind, code, out }).toMatchObject({ code: 0, out: expect.stringMatching(PROVEN) })
      expect(out).toContain(verified)
    }
  })

  it('does not take another piece for the one that was logged', async () => {
    const lying = await startLying(program.address, '"rating":4', '"rating":5')
    try {
      const { code, out } = await tollbook(['verify', 'review', `${lying.address}/v1/reviews/review-1`], {})
      expect({ code, out }).toEqual({
        code: 1,
        out: expect.stringMatching(/the entry there says nothing of it\nNot verified\.\n$/),
      })
    } finally {
      await lying.stop()
    }
  })

  it('has beside it a verifier that is served as it is written, in fewer than 300 lines', async () => {
    const served = await (await fetch(`${program.address}/log/verify.mjs`)).text()
    expect(served).toBe(readFileSync(join(ROOT, 'src/log/verify.mjs'), 'utf8'))
    expect(served.split('\n').length).toBeLessThanOrEqual(300)
  })

  it('explains what it cannot read', async () => {
    const nowhere = await tollbook(['audit', 'http://127.0.0.1:1', '--folder', join(folder, 'nowhere')], {})
    expect(nowhere).toMatchObject({ code: 1, out: '' })
    expect(nowhere.err).toContain('does not answer')
    expect(await tollbook(['audit', 'somewhere'], {})).toMatchObject({ code: 2 })
  })
})
