import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WebServer } from '../../http/server/server.ts'
import { MemoryDirectory, startSample } from '../../http/testing/samples.ts'
import { challenge, HOST, hostView, probe, route } from '../../render/testing/sample-views.ts'
import { commandContext } from '../testing/command-context.ts'
import { askCommand } from './ask.ts'

let web: WebServer
let to: string
beforeAll(async () => {
  const directory = new MemoryDirectory()
  const listed = [route('/listed', { price: 12_000, network: 'base' })]
  const asked = [route('/asked', { probes: [probe(402, { challenge: challenge(20_000) })] })]
  const elsewhere = [
    route('/elsewhere', {
      price: 9_000,
      network: 'base',
      probes: [probe(402, { challenge: challenge(20_000, 'solana') })],
    }),
  ]
  const unpriced = [route('/unpriced', { price: null, network: null, listings: [] })]
  directory.put(HOST, hostView([...listed, ...asked, ...elsewhere, ...unpriced]))
  web = await startSample({ directory })
  to = `http://127.0.0.1:${web.port}`
})
afterAll(() => web.drain(1000))

async function ask(...argv: string[]): Promise<{ code: number; out: string }> {
  const { context, said } = commandContext()
  const code = await askCommand({ fetch, baseUrl: to }).run(argv, context)
  return { code, out: said.out }
}

describe('tollbook ask', () => {
  it('says what speaks against a payment, with its evidence, and exits with 0 when nothing stops it', async () => {
    const { code, out } = await ask('https://api.unknown.example/v1/x', '--price', '0.02', '--network', 'base')
    expect([code, out.split('\n').slice(0, 2)]).toEqual([
      0,
      [
        'Allow: nothing stops this payment.',
        '  warn unknown_host: No listing source has named this host: nothing is known of it.',
      ],
    ])
    expect(out).toContain('/v1/hosts?q=api.unknown.example')
  })

  it('exits with 3 when a payment is to be stopped', async () => {
    const { code, out } = await ask('https://api.unknown.example/', '--price', '0.02', '--max-price', '0.01')
    expect(code).toBe(3)
    expect(out).toContain(
      'Stop: do not pay this.\n  stop price_above_limit: The price of 0.020000 is above the limit of 0.010000.',
    )
  })

  it('judges what a route asked for last where no price is named, or what is listed', async () => {
    expect((await ask(`https://${HOST}/asked`)).out).toMatch(/^Price 0\.020000 on base, as it asked for last; --price/)
    expect((await ask(`https://${HOST}/listed`)).out).toMatch(/^Price 0\.012000 on base, as it is listed; --price/)
    expect((await ask(`https://${HOST}/listed`, '--max-price', '0.01')).code).toBe(3)
    await expect(ask(`https://${HOST}/unpriced`)).rejects.toMatchObject({ slug: 'usage' })
    await expect(ask(`https://${HOST}/other`)).rejects.toMatchObject({
      detail: expect.stringContaining('No listing source has named GET'),
      hint: expect.stringContaining('--price'),
    })
  })

  it('judges a price on the network that it is of', async () => {
    const url = `https://${HOST}/elsewhere`
    expect((await ask(url)).out).toMatch(/^Price 0\.020000 on solana, as it asked for last; --price/)
    expect((await ask(url, '--network', 'eip155:8453')).out).toMatch(
      /^Price 0\.009000 on eip155:8453, as it is listed;/,
    )
    await expect(ask(url, '--network', 'polygon')).rejects.toThrow('no price of this route is known on polygon')
  })

  it('says in one line what is wrong with a question, and when nobody answers', async () => {
    await expect(ask('https://127.0.0.1/')).rejects.toMatchObject({
      detail: expect.stringContaining('url is not the address'),
    })
    await expect(ask('https://a.example/', '--price', 'much')).rejects.toMatchObject({
      ...{ slug: 'usage', detail: expect.stringContaining('--price: expected dollars') },
    })
    await expect(ask('https://a.example/', '--to', 'http://127.0.0.1:1')).rejects.toMatchObject({
      ...{ slug: 'no-answer', detail: expect.stringContaining('(name the directory with --to)') },
    })
    await expect(ask(`https://${HOST}/listed`, '--to', `${to}/elsewhere`)).rejects.toMatchObject({
      ...{ slug: 'refused', hint: expect.not.stringContaining('--price') },
    })
    await expect(ask()).rejects.toMatchObject({ slug: 'usage' })
    await expect(ask('https://a.example/', '--rail', 'card')).rejects.toMatchObject({ slug: 'usage' })
  })
})
