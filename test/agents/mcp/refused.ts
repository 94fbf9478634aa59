import { expect, it } from 'vitest'
import { type Agent, HOST, REVIEWED, ROUTE, result } from './agent.ts'

/** What an agent is told that asks wrongly. */
export function itIsRefused(agent: Agent): void {
  const { call } = agent

  it.each<[string, string, Record<string, unknown>]>([
    ['should_i_pay', 'max_price', { ...ROUTE, max_price: '0.001' }],
    ['search_hosts', 'maxPrice', { maxPrice: '0.001' }],
    ['get_host', 'path', { host: HOST, path: '/v1/x' }],
    ['get_route', 'offer', { ...ROUTE, offer: { price: '5', network: 'base' } }],
    ['get_listing_history', 'source', { host: HOST, source: 'bazaar' }],
    ['get_thread', 'since', { host: HOST, since: '2026' }],
    ['get_events', 'since', { since: '2026' }],
    ['get_log_proof', 'size', { index: 0, size: 1 }],
    ['prepare_review', 'tip', { ...REVIEWED, rating: 5, text: 'As listed.', tip: 1 }],
    ['prepare_post', 'tip', { host: HOST, text: 'Hello.', wallet: `0x${'a'.repeat(40)}`, tip: 1 }],
    ['prepare_claim', 'tip', { host: HOST, wallet: `0x${'a'.repeat(40)}`, tip: 1 }],
    ['prepare_statement', 'tip', { host: HOST, kind: 'probe', about: '', wallet: `0x${'a'.repeat(40)}`, tip: 1 }],
  ])('is told by %s that it does not know %s', async (name, argument, asked) => {
    const { isError, content } = await call(name, asked)
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(argument)])
    expect(content[0]?.text).toMatch(/unrecognized/i)
  })

  it('is told that a policy needs an offer, and may say more about a call beside its arguments', async () => {
    const { isError, content } = await call('should_i_pay', { ...ROUTE, policy: { max_price: '0.001' } })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('give the offer, too')])
    const _meta = { progressToken: 1, 'example.com/trace': 'abc' }
    const answer = result.parse(await agent.client.callTool({ name: 'should_i_pay', arguments: ROUTE, _meta }))
    expect(answer.isError ?? false).toBe(false)
  })

  it('is told what is wrong and what to do next', async () => {
    const unknown = await call('get_host', { host: 'api.exampel.com' })
    expect(unknown.isError).toBe(true)
    expect(unknown.content[0]?.text).toMatch(/Unknown seller host.*\n.*\nSimilar names: \["api\.example\.com"/)
    for (const [name, asked] of [
      ['get_thread', { host: '127.0.0.1' }],
      ['should_i_pay', { ...ROUTE, url: `https://${HOST}/nothing` }],
      ['prepare_post', { host: HOST, text: 'x', wallet: 'nobody' }],
      ['prepare_review', { ...ROUTE, rating: 9, text: 'x' }],
      ['prepare_statement', { host: HOST, kind: 'reply', about: 'you', text: 'x', wallet: `0x${'1'.repeat(40)}` }],
    ] as const) {
      const { isError, content } = await call(name, asked)
      expect([name, isError]).toEqual([name, true])
      expect(content[0]?.text).not.toContain('home page')
    }
    expect(unknown.content[0]?.text).toContain('search_hosts')
    expect((await call('get_log_proof', { index: 1_000_000 })).content[0]?.text).toContain('log.index')
  })
}
