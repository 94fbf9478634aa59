import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { VERIFY } from './catalogue/check.ts'
import { POST, REVIEW } from './catalogue/write.ts'
import { postCommand } from './post.ts'
import { reviewCommand } from './review.ts'
import { commandContext } from './testing/command-context.ts'
import { dispatch } from './tollbook.ts'
import { verifyCommand } from './verify.ts'

/** Colours, renames the window, goes up a line, and begins a line of its own. */
const EVIL = '\u001b[31m\u001b]0;owned\u0007\u001b[1A\r\nPaid by somebody else\u009b2J\u202e'
const HOST = 'api.example.com'
const WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const folder = mkdtempSync(join(tmpdir(), 'tollbook-test-'))
const keyFile = join(folder, 'wallet.key')
writeFileSync(keyFile, 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80\n', { mode: 0o600 })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Answers one after the other; the last one again and again. */
async function directory(answers: readonly (readonly [status: number, body: string])[]): Promise<string> {
  let at = 0
  const server = createServer((request, response) => {
    const [status, body] = answers[Math.min(at++, answers.length - 1)] ?? [500, '']
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

/** As the program runs it: what is thrown here would be a stack trace there. */
async function run(argv: string[]): Promise<{ code: number; said: string }> {
  const { context, said } = commandContext()
  const nowMs = () => Date.UTC(2026, 10, 14, 12, 34, 56)
  const deps = { fetch, nowMs, baseUrl: '', sleep: async () => undefined }
  const post = postCommand({
    ...deps,
    readStdin: () => undefined,
    confirm: () => undefined,
    payer: (rail) => ({
      rail,
      quote: async () => ({
        ...{ price: '0.050000', network: `eip155:8453${EVIL}`, asset: EVIL, payee: EVIL },
        sign: async () => ({ 'X-PAYMENT': 'signed' }),
      }),
    }),
  })
  const commands = [
    { entry: REVIEW, load: async () => reviewCommand(deps) },
    { entry: POST, load: async () => post },
    { entry: VERIFY, load: async () => verifyCommand(fetch, () => Promise.reject(new Error('nobody is asked'))) },
  ]
  const { out, err } = context
  const world = { version: '1', called: 'tollbook', out, err, commands, context: async () => context }
  return { code: await dispatch(argv, world), said: said.both }
}

const review = (to: string) => run(['review', `https://${HOST}/v1`, '--rating', '4', '--text', 'Fine.', '--to', to])
const post = (to: string) => run(['post', HOST, '--key-file', keyFile, '--text', 'Hello?', '--yes', '--to', to])

const DEMAND = [402, JSON.stringify({ title: 'Pay', detail: 'Pay.', charged: false })] as const
const REFUSAL = [422, JSON.stringify({ title: EVIL, detail: `No${EVIL}`, hint: EVIL })] as const
const POSTED = JSON.stringify({
  ...{ id: `p-1${EVIL}`, host: HOST, untrusted: true, text: 'Hello?', wallet: WALLET, signature: '0x1', rail: 'x402' },
  ...{ signed_at: '2026-11-14T12:34:56Z', posted_at: '2026-11-14T12:34:57.000000Z', hidden: null },
  href: `https://tollbook.example/${EVIL}`,
  payment: { network: EVIL, transaction: EVIL, payer: EVIL, settlement: null },
})
const REVIEWED = JSON.stringify({
  ...{
    url: `https://${HOST}/v1`,
    method: 'GET',
    rail: 'x402',
    rating: 4,
    text: 'Fine.',
    payment: { network: EVIL, transaction: EVIL },
  },
  ...{ wallet: EVIL, signature: EVIL, signed_at: EVIL, message: EVIL },
})

describe('a hostile directory', () => {
  it('cannot move, colour or forge anything on the terminal of whoever writes to it or verifies it', async () => {
    const runs = [
      await review(await directory([REFUSAL])),
      await post(await directory([REFUSAL])),
      await post(await directory([DEMAND, REFUSAL])),
      await post(await directory([DEMAND, [201, POSTED]])),
      await run(['verify', 'review', await directory([[200, REVIEWED]])]),
      await run(['verify', 'post', await directory([[200, POSTED]])]),
    ]
    for (const { said } of runs) {
      expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(said).not.toMatch(/^Paid by somebody else/m)
      expect(said).not.toBe('')
    }
  })

  it.each(['', 'null', '{"id":', '[]', '{"id":"p-1"}', '<html></html>'])(
    'that answers 201 with %j is refused in words',
    async (body) => {
      const reviewed = await review(await directory([[201, body]]))
      const posted = await post(await directory([DEMAND, [201, body]]))
      for (const { code, said } of [reviewed, posted]) {
        expect(code).toBe(1)
        expect(said).toMatch(/^tollbook: the directory answered HTTP 201 with something else than was asked for/m)
      }
    },
  )
})
