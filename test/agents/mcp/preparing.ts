import { verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, HOST, REVIEWED } from './agent.ts'

/** What an agent is given to sign and to send. */
export function itPrepares(agent: Agent): void {
  const { call, said } = agent

  it.each([
    ['', {}],
    ['outcome none 812 none', { outcome: { http_status: null, latency_ms: 812 } }],
    [
      `outcome 500 7 ${'ab'.repeat(32)}`,
      { outcome: { http_status: 500, latency_ms: 7, bytes: 0, content_sha256: 'ab'.repeat(32) } },
    ],
  ])('prepares a review whose lines a wallet can sign and whose request is taken: %s', async (line, more) => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { document } = await said('prepare_review', {
      ...REVIEWED,
      rating: 5,
      text: 'As listed.',
      wallet: account.address,
      ...more,
    })
    const { sign, send, cost } = z
      .object({
        cost: z.string(),
        sign: z.object({ message: z.string(), scheme: z.string() }),
        send: z
          .array(
            z.object({
              url: z.string(),
              method: z.string(),
              headers: z.record(z.string(), z.string()),
              body: z.record(z.string(), z.unknown()),
            }),
          )
          .length(1),
      })
      .parse(document)
    expect([cost, sign.scheme, sign.message.split('\n')[0]]).toEqual(['0.000000', 'eip191', 'review'])
    expect(
      sign.message
        .split('\n')
        .filter((one) => one.startsWith('outcome '))
        .join(),
    ).toBe(line)
    const signature = await account.signMessage({ message: sign.message })
    const [request] = send
    const answer = await fetch(request?.url ?? '', {
      method: 'POST',
      headers: request?.headers ?? {},
      body: JSON.stringify({ ...request?.body, signature }),
    })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ level: 'Signed', wallet: account.address, ...more })
  })

  // The reviews above, among other things.
  it('is told what changed, newest first, and goes on where a page ends', async () => {
    const idsOf = ({ events }: Record<string, unknown>) =>
      z
        .array(z.object({ id: z.string() }))
        .parse(events)
        .map(({ id }) => id)
    const { document, text } = await said('get_events', { host: HOST, limit: 50 })
    const all = idsOf(document)
    expect(all.length).toBeGreaterThan(2)
    expect(text).toContain(`[Review: ${HOST}](${agent.address()}/v1/reviews/`)
    for (const more of [{}, { kind: 'review,post' }]) {
      const first = await said('get_events', { host: HOST, ...more, limit: 1 })
      const second = await said('get_events', { limit: 1, cursor: first.document.next })
      expect([...idsOf(first.document), ...idsOf(second.document)]).toEqual(all.slice(0, 2))
    }
    expect((await said('get_events', { host: HOST, kind: 'claim_proven' })).document).toMatchObject({ events: [] })
    const oldest = await said('get_events', { host: HOST, order: 'oldest', limit: 50 })
    expect(idsOf(oldest.document)).toEqual(all.toReversed())
    for (const asked of [{ kind: 'gossip' }, { host: 'nobody.example.com' }, { cursor: 'x' }])
      expect([asked, (await call('get_events', asked)).isError]).toEqual([asked, true])
  })

  it('prepares a post: the four lines, both endpoints and the price', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { document } = await said('prepare_post', { host: HOST, text: 'Is it per call?', wallet: account.address })
    const { sign } = z.object({ sign: z.object({ message: z.string() }) }).parse(document)
    expect(sign.message).toMatch(new RegExp(`^thread\\n${HOST}\\n[0-9a-f]{64}\\n\\d{4}-`))
    const signature = await account.signMessage({ message: sign.message })
    expect(await verifyMessage({ address: account.address, message: sign.message, signature })).toBe(true)
    expect(document).toMatchObject({
      cost: '0.050000',
      send: [
        { rail: 'x402', url: `${agent.address()}/v1/thread/${HOST}` },
        { rail: 'mpp', url: `${agent.address()}/mpp/v1/thread/${HOST}` },
      ],
    })
  })

  it('prepares a statement of a seller, whose lines are good here and which needs a claim first', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const words = { kind: 'contact', about: HOST, text: 'Mail us.', wallet: account.address }
    const { document } = await said('prepare_statement', { host: HOST, ...words })
    const { sign, send, steps } = z
      .object({
        sign: z.object({ message: z.string() }),
        send: z.array(z.object({ url: z.string(), body: z.record(z.string(), z.unknown()) })),
        steps: z.array(z.string()),
      })
      .parse(document)
    expect(steps[0]).toContain('prepare_claim')
    const { host: directory } = new URL(agent.address())
    expect(sign.message).toMatch(
      new RegExp(`^statement\\n${HOST}\\ncontact\\n${HOST}\\n[0-9a-f]{64}\\ndirectory ${directory}\\n\\d{4}-`),
    )
    const signature = await account.signMessage({ message: sign.message })
    const answer = await fetch(send[0]?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...send[0]?.body, signature }),
    })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ title: 'Not proven to be the seller', hint: expect.any(String) })
  })

  it('prepares a claim, which is answered with what proves a host', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { document } = await said('prepare_claim', { host: HOST, wallet: account.address })
    const { sign, send } = z
      .object({
        sign: z.object({ message: z.string() }),
        send: z.array(z.object({ url: z.string(), body: z.record(z.string(), z.unknown()) })),
      })
      .parse(document)
    const { host: directory } = new URL(agent.address())
    expect(sign.message).toMatch(new RegExp(`^claim\\n${HOST}\\n${account.address}\\ndirectory ${directory}\\n\\d{4}-`))
    const signature = await account.signMessage({ message: sign.message })
    const answer = await fetch(send[0]?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...send[0]?.body, signature }),
    })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ type: expect.stringContaining('claim-unproven') })
  })
}
