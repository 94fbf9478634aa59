import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recoverMessageAddress } from 'viem'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { limitOf, priceWithin } from '../client/payer.ts'
import { postMessage } from '../wire/signed-lines.ts'
import { type PostCommandDeps, postCommand } from './post.ts'
import { commandContext } from './testing/command-context.ts'

// A directory that answers as it is told, and a payer that signs a word: the real ones meet in test/payments.

const HOST = 'api.example.com'
const DOLLAR = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const folder = mkdtempSync(join(tmpdir(), 'tollbook-test-'))
const keyFile = join(folder, 'wallet.key')
writeFileSync(keyFile, 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80\n', { mode: 0o600 })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Asked {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
type Answer = readonly [status: number, body: object, headers?: Record<string, string>]

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Answers one after the other; the last one again and again. `null` breaks the connection. */
async function directory(answers: readonly (Answer | null)[]) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() })
    if (!answer) return response.destroy()
    response.writeHead(answer[0], { 'content-type': 'application/json', ...answer[2] })
    return response.end(JSON.stringify(answer[1]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { asked, url: `http://127.0.0.1:${port}` }
}

async function post(
  argv: readonly string[],
  more: Partial<PostCommandDeps> = {},
  text = ['--text', 'Hello?'],
  host = HOST,
) {
  const { context, said } = commandContext()
  const slept: number[] = []
  let signed = 0
  const deps: PostCommandDeps = {
    baseUrl: 'http://127.0.0.1:9',
    fetch,
    nowMs: () => Date.UTC(2026, 10, 14, 12, 34, 56),
    sleep: async (ms) => {
      slept.push(ms)
    },
    readStdin: () => undefined,
    confirm: () => undefined,
    payer: (rail, { maxPrice }) => ({
      rail,
      quote: async () => ({
        ...priceWithin({ network: 'eip155:84532', asset: DOLLAR, payee: '0xbee', amount: '50000' }, limitOf(maxPrice)),
        sign: async () => {
          signed += 1
          return { 'X-PAYMENT': `signed-${signed}` }
        },
      }),
    }),
    ...more,
  }
  const args = [host, '--key-file', keyFile, ...text, ...argv]
  const ended = await postCommand(deps)
    .run(args, context)
    .then(
      (code) => ({ code, error: '' }),
      (error: unknown) => ({ code: 1, error: error instanceof Error ? error.message : String(error) }),
    )
  return { ...ended, ...said, slept, signed }
}

const DEMAND: Answer = [402, { title: 'Payment required', detail: 'Pay.', hint: '', charged: false }]
const POSTED: Answer = [
  201,
  {
    ...{ id: 'p-1', host: HOST, untrusted: true, text: 'Hello?', wallet: WALLET, signature: '0x1', rail: 'x402' },
    ...{ signed_at: '2026-11-14T12:34:56Z', posted_at: '2026-11-14T12:34:57.000000Z', hidden: null },
    href: 'https://tollbook.example/v1/posts/p-1',
    payment: { network: 'eip155:84532', transaction: '0xfeed', payer: WALLET, settlement: 'as the facilitator says' },
  },
]

describe('tollbook post', () => {
  it('says that Tempo takes a fee on top', async () => {
    const { url } = await directory([DEMAND, POSTED, DEMAND, POSTED])
    const fee = "fee:       Tempo's own on top, in the same dollar"
    expect((await post(['--to', url, '--yes', '--rail', 'mpp'])).out).toContain(fee)
    expect((await post(['--to', url, '--yes'])).out).not.toContain('fee:')
  })

  it('gives the same words for the same host the same name, so that whoever runs it again pays once', async () => {
    const { url, asked } = await directory([DEMAND, null, POSTED])
    const first = await post(['--to', url, '--yes'])
    expect(first.out).toContain('\nShould this be cut off, run it again: the same words are paid for once.')
    expect(first.out).not.toContain('sent before')
    const [name = '', ...others] = asked.map(({ headers }) => headers['idempotency-key'])
    expect(name).toMatch(/^post-[0-9a-f]{64}$/)
    expect(others).toEqual([name, name])
    const rerun = await directory([[200, { ...POSTED[1], charged: false }]])
    expect(await post(['--to', rerun.url, '--yes', '--rail', 'mpp'])).toMatchObject({
      ...{ code: 0, signed: 0 },
      out: expect.stringMatching(
        /^Posted p-1.*\nIt was sent before: nothing more was paid\. Another --idempotency-key/s,
      ),
    })
    expect(rerun.asked[0]?.headers['idempotency-key']).toBe(name)
    const other = await directory([DEMAND, POSTED])
    await post(['--to', other.url, '--yes'], {}, ['--text', 'Hello!'])
    expect(other.asked[0]?.headers['idempotency-key']).not.toBe(name)
    const again = await directory([[200, { ...POSTED[1], charged: false }]])
    const second = await post(['--to', again.url, '--yes', '--idempotency-key', 'mine'])
    expect(second).toMatchObject({ code: 0, signed: 0, out: expect.stringContaining('Posted p-1') })
    expect(again.asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine'])
    for (const key of ['', 'two words', 'x'.repeat(256), 'ä']) {
      expect((await post(['--to', url, '--yes', '--idempotency-key', key])).error).toBe(
        '--idempotency-key: expected 1 to 255 visible ASCII characters, without a space',
      )
    }
  })

  it('says what it costs, pays, and prints the receipt and the address of the post', async () => {
    const { url, asked } = await directory([DEMAND, POSTED])
    const { code, out, signed } = await post(['--to', `${url}/`, '--yes'])
    expect({ code, signed }).toEqual({ code: 0, signed: 1 })
    for (const part of [
      '0.050000 dollars through x402',
      'eip155:84532',
      '0xbee',
      WALLET,
      '0xfeed (as the facilitator says)',
      '/v1/posts/p-1',
    ])
      expect(out).toContain(part)
    expect(asked.map((one) => [one.url, one.headers['x-payment']])).toEqual([
      [`/v1/thread/${HOST}`, undefined],
      [`/v1/thread/${HOST}`, 'signed-1'],
    ])
    expect(asked[1]?.body).toBe(asked[0]?.body)
  })

  it('signs the four lines of the text with the wallet of the key file', async () => {
    const { url, asked } = await directory([DEMAND, POSTED])
    await post(['--to', url, '--rail', 'mpp', '--yes'])
    expect(asked[0]?.url).toBe(`/mpp/v1/thread/${HOST}`)
    const { text, wallet, signature, signed_at: signedAt } = JSON.parse(asked[0]?.body ?? '')
    expect({ text, wallet, signedAt }).toEqual({ text: 'Hello?', wallet: WALLET, signedAt: '2026-11-14T12:34:56Z' })
    const message = postMessage({ host: HOST, text, signedAt })
    expect(await recoverMessageAddress({ message, signature })).toBe(WALLET)
  })

  it('asks again with the very same payment while the outcome is open or the answer lost', async () => {
    const pending: Answer = [202, { id: 'p-1', status: 'payment_pending' }, { 'retry-after': '3' }]
    const failed: Answer = [500, { title: 'x', detail: 'x', hint: 'x', charged: 'pending' }]
    const { url, asked } = await directory([DEMAND, pending, null, failed, POSTED])
    const { code, signed, slept, err } = await post(['--to', url, '--yes'])
    expect({ code, signed, slept }).toEqual({ code: 0, signed: 1, slept: [3000, 1000, 1000] })
    expect(new Set(asked.slice(1).map(({ headers, body }) => `${headers['x-payment']} ${body}`)).size).toBe(1)
    expect(err).toContain('not decided yet; asking again')
  })

  it('stays with the very same payment when a proxy answers, or a budget is spent, after an answer was lost', async () => {
    const proxied: Answer = [504, { message: 'Gateway Time-out' }]
    const spent: Answer = [
      429,
      { title: 'Too many requests', detail: 'Too often.', hint: '', charged: false },
      { 'retry-after': '2' },
    ]
    const { url, asked } = await directory([DEMAND, null, proxied, spent, POSTED])
    const { code, signed, slept, out, err } = await post(['--to', url, '--yes'])
    expect({ code, signed, slept }).toEqual({ code: 0, signed: 1, slept: [1000, 1000, 2000] })
    expect(new Set(asked.slice(1).map(({ headers, body }) => `${headers['x-payment']} ${body}`)).size).toBe(1)
    expect(`${out}${err}`).not.toMatch(/nothing was charged/i)
  })

  it('never says that nothing was charged after a paid request without a clear answer', async () => {
    const gone: Answer = [404, { title: 'x', detail: 'No listing source has named it.', hint: 'h', charged: false }]
    const lost = await post(['--to', (await directory([DEMAND, null, gone])).url, '--yes'])
    expect(lost.error).toBe(
      'No listing source has named it; an earlier copy had no clear answer, and may have been charged',
    )
    const troubled: Answer = [503, { title: 'x', detail: 'Not yet.', charged: false }, { 'retry-after': '60' }]
    const never = await post(['--to', (await directory([DEMAND, troubled])).url, '--yes'])
    expect(never.error).toBe('it is not known yet whether the payment was made')
  })

  it('says once that nothing was charged', async () => {
    const poor: Answer = [
      402,
      { title: 'x', detail: 'The wallet does not hold enough of the asset. Nothing was charged.', charged: false },
    ]
    const { url } = await directory([DEMAND, poor])
    expect((await post(['--to', url, '--yes'])).error).toBe(
      'The wallet does not hold enough of the asset. Nothing was charged',
    )
  })

  it('never signs a payment above --max-cost', async () => {
    const { url, asked } = await directory([DEMAND, POSTED])
    const { code, error, signed } = await post(['--to', url, '--max-cost', '0.049999', '--yes'])
    expect({ code, signed, requests: asked.length }).toEqual({ code: 1, signed: 0, requests: 1 })
    expect(error).toBe('it costs 0.050000 dollars, more than the limit of 0.049999')
  })

  it('asks nobody where the directory is no address', async () => {
    for (const to of ['http://a b', 'http://[', 'example', 'http://'])
      expect(await post(['--to', to, '--yes'])).toMatchObject({
        error: '--to: expected an http or https address',
        signed: 0,
      })
  })

  it('pays only what somebody agreed to', async () => {
    const alone = await post(['--to', (await directory([DEMAND])).url])
    expect([alone.signed, alone.error]).toEqual([0, 'nobody is there to agree; nothing was charged'])
    const no = await post(['--to', (await directory([DEMAND])).url], { confirm: async () => false })
    expect([no.signed, no.code, no.out.endsWith('Nothing was paid.\n')]).toEqual([0, 1, true])
    const yes = await post(['--to', (await directory([DEMAND, POSTED])).url], { confirm: async () => true })
    expect([yes.signed, yes.code]).toEqual([1, 0])
  })

  it('says why the directory refuses, and whether anything was charged', async () => {
    const { url } = await directory([
      DEMAND,
      [403, { title: 'x', detail: 'Payer is not signer.', hint: 'h', charged: false }],
    ])
    expect((await post(['--to', url, '--yes'])).error).toBe('Payer is not signer; nothing was charged')
    const unset = await directory([[503, { title: 'x', detail: 'Not set up.', hint: 'h', charged: false }]])
    const { error, signed } = await post(['--to', unset.url, '--yes'])
    expect([error, signed]).toEqual(['Not set up; nothing was charged', 0])
    expect((await post(['--yes'])).error).toBe('http://127.0.0.1:9 does not answer; nothing was charged')
  })

  it('takes the text from standard input, without the line feed at its end', async () => {
    const { url, asked } = await directory([DEMAND, POSTED])
    await post(['--to', url, '--yes'], { readStdin: async () => 'Two\nlines\n' }, [])
    expect(JSON.parse(asked[0]?.body ?? '').text).toBe('Two\nlines')
  })

  it('leaves it to the directory whether a special name is taken, however that is written', async () => {
    for (const written of ['shop.seller.test', 'SHOP.seller.test.', 'SHOP.seller.test:80']) {
      const { url, asked } = await directory([DEMAND, POSTED])
      await post(['--to', url, '--yes'], {}, ['--text', 'Hello?'], written)
      expect(asked[0]?.url).toMatch(/^\/v1\/thread\/shop\.seller\.test(?:%3A80|:80)?$/)
    }
  })

  it.each([
    [['--rail', 'lightning'], '--rail: expected one of x402, mpp'],
    [['--max-cost', 'free'], '--max-cost: expected dollars such as 0.05'],
    [['--text', 'a\u202eb'], 'the text holds control, bidirectional, tag or private-use characters'],
    [['second.example'], 'second.example: this word is one too many'],
  ])('refuses %j', async (argv, error) => {
    expect(await post(argv)).toMatchObject({ error, signed: 0 })
  })
})
