import { expect, it, vi } from 'vitest'
import { STRANGE } from '../filled.ts'
import { type Agent, HOST, ROUTE } from './agent.ts'

/** What an agent is shown of a host, and told before it pays. */
export function itReads(agent: Agent): void {
  const { call, said } = agent

  it('shows a host, quoting strangers', async () => {
    const { document, text } = await said('get_host', { host: HOST })
    expect(document).toMatchObject({ host: HOST, counters: { routes: 2, machine_evidence_rows: 5 } })
    expect(text).toContain(`\`\`\`\`text\n${STRANGE}\n\`\`\`\``)
  })

  it('shows a route, also by a concrete address of its template', async () => {
    expect((await said('get_route', ROUTE)).document).toMatchObject({ path: '/v1/x', observed_price: '0.020000' })
    const asked = { ...ROUTE, url: 'https://quiet.example.com/v1/city/paris' }
    expect((await said('get_route', asked)).document).toMatchObject({ path: '/v1/city/:name' })
  })

  it('is told where a seller is listed, since when, and in whose words', async () => {
    const { document, text } = await said('get_listing_history', { host: HOST })
    const named = expect.objectContaining({ source: 'bazaar', no_longer_named_since: null })
    expect(document).toMatchObject({ host: HOST, sources: expect.arrayContaining([named]) })
    expect(text).toContain('bazaar: first named ')
  })

  it('reads a thread with its posts marked as untrusted', async () => {
    const { document, text } = await said('get_thread', { host: HOST })
    expect(document).toMatchObject({ total: 2, posts: [{ untrusted: true, text: STRANGE }, { text: '' }] })
    expect(text).toContain(`\`\`\`\`text\n${STRANGE}\n\`\`\`\``)
  })

  it('is given what the log has at a place, with its proof', async () => {
    const logged = async () => expect((await call('get_log_proof', { index: 0 })).isError ?? false).toBe(false)
    await vi.waitFor(logged, { timeout: 30_000, interval: 200 })
    const { document, text } = await said('get_log_proof', { index: 0 })
    expect(document).toMatchObject({ index: 0, entry: { v: 1, records: expect.anything() } })
    expect(document.proof).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex 0\n/)
    expect(text).toContain('# Entry 0 of the log')
  })

  it('is told what is known before paying, and what is not', async () => {
    const { document, text } = await said('should_i_pay', ROUTE)
    expect(document).toMatchObject({
      price: { listed: '0.010000', observed: '0.020000', differs: true },
      probes: {
        windows: [
          { window: '24 h', '402_correct': 1 },
          { window: '7 d', answers: 1, '402_correct': 1 },
          { window: '30 d', answers: 1, '402_correct': 1, failed: 1, unreachable: 1 },
        ],
      },
      reviews: { counted: 4, excluded: 1 },
      payees: { untrusted: true, total: 1 },
    })
    expect(text).toContain('# Should I pay this?')
    expect(text).toContain('probes never pay')
  })

  it('is told of the listed route of a call that has a query of its own', async () => {
    const { document } = await said('should_i_pay', { ...ROUTE, url: `${ROUTE.url}?city=paris` })
    expect(document).toMatchObject({ asked: { url: `${ROUTE.url}?city=paris` }, route: { address: ROUTE.url } })
  })

  it('is told what speaks against an offer, of an unknown host too', async () => {
    const offer = { price: '0.500000', network: 'base' }
    const { document, text } = await said('should_i_pay', { ...ROUTE, offer })
    expect(document).toMatchObject({
      allow: false,
      findings: [
        { code: 'price_above_listed', severity: 'stop' },
        { code: 'price_above_observed', severity: 'stop' },
      ],
    })
    expect(text).toContain('Stop: do not pay this.')
    const elsewhere = await said('should_i_pay', { ...ROUTE, url: 'https://unknown.example.org/', offer })
    expect(elsewhere.document).toMatchObject({ allow: true, findings: [{ code: 'unknown_host', severity: 'warn' }] })
  })
}
