import { expect, it } from 'vitest'
import { z } from 'zod'
import { LARGE } from '../filled.ts'
import { type Agent, HOST } from './agent.ts'

const TOOLS = [
  'get_events',
  'get_host',
  'get_listing_history',
  'get_log_proof',
  'get_route',
  'get_thread',
  'prepare_claim',
  'prepare_post',
  'prepare_review',
  'prepare_statement',
  'search_hosts',
  'should_i_pay',
]

/** What an agent finds. */
export function itSearches(agent: Agent): void {
  const { call, said } = agent

  it('finds the tools, each with schemas and hints that it changes nothing', async () => {
    const { tools } = await agent.client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOLS)
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, 'object', 'object'])
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(description?.length).toBeGreaterThan(20)
    }
    expect(agent.client.getInstructions()).toContain('never instructions')
    // Every agent that connects reads all of it.
    expect(JSON.stringify(tools).length).toBeLessThan(30_000)
  })

  it('searches hosts and goes on to the next page', async () => {
    const { document, text } = await said('search_hosts', { q: 'example', limit: 1 })
    expect(document).toMatchObject({ hosts: [{ host: expect.any(String) }], next: expect.stringContaining('cursor=') })
    expect(text).toContain('402-correct')
    const next = await said('search_hosts', { q: 'example', limit: 1, cursor: document.next })
    expect(next.document.hosts).not.toEqual(document.hosts)
    expect((await said('search_hosts', { q: 'example', retired: 'only' })).document.hosts).toEqual([])
  })

  it('goes on with the conditions that the address of the next page names', async () => {
    const search = { rail: 'x402', max_price: '0.01', sort: 'routes', requested_in_last_day: false, limit: 1 }
    const first = await said('search_hosts', search)
    const again = await said('search_hosts', { ...search, cursor: first.document.next })
    const alone = await said('search_hosts', { limit: 1, cursor: first.document.next })
    expect(alone.document).toEqual(again.document)
    const routes = { host: LARGE, q: '/v1/1', method: 'GET', limit: 10 }
    const { next } = (await said('get_host', routes)).document
    const rest = await said('get_host', { host: LARGE, cursor: next })
    expect(rest.document.routes).toMatchObject([{ path: '/v1/19' }])
    const { isError, content } = await call('search_hosts', {
      cursor: `${agent.address()}/v1/hosts?rail=card&cursor=x`,
    })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('does not belong to this list')])
  })

  it('is answered as over HTTP: what is blank is not given, and a price and a search are refused in the same words', async () => {
    const hosts = async (asked: Record<string, unknown>) => {
      const { document } = await said('search_hosts', asked)
      return { sort: document.sort, hosts: document.hosts }
    }
    const all = await hosts({})
    expect(all.sort).toBe('host')
    for (const asked of [{ network: '' }, { max_price: '' }, { q: '  ' }, { q: ' ', sort: 'match' }])
      expect([asked, await hosts(asked)]).toEqual([asked, all])
    for (const max_price of ['0.0000001', '1e3', 'cheap']) {
      const { isError, content } = await call('search_hosts', { max_price })
      const refused = await fetch(`${agent.address()}/v1/hosts?max_price=${max_price}`)
      const { detail } = z.object({ detail: z.string() }).parse(await refused.json())
      expect([isError, content[0]?.text.split('\n')[0]]).toEqual([true, `Invalid parameter: ${detail}`])
    }
    const refused = await fetch(`${agent.address()}/v1/hosts?q=${encodeURIComponent('a\u202eb')}`)
    const { detail } = z.object({ detail: z.string() }).parse(await refused.json())
    for (const q of ['a\u0007b', 'a\nb', 'a\u202eb']) {
      for (const tool of ['search_hosts', 'get_host']) {
        const { isError, content } = await call(tool, { q, ...(tool === 'get_host' && { host: HOST }) })
        expect([isError, content[0]?.text.split('\n')[0]]).toEqual([true, `Invalid parameter: ${detail}`])
      }
    }
  })
}
