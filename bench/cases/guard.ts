import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createGuard } from '../../src/client/guard/index.ts'
import { bundled } from '../../test/package/bundle.ts'
import { listenOnLoopback } from '../rigs/loopback.ts'
import { interleaved, milliseconds, timed } from '../rigs/measure.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const isSmall = process.env.BENCH_SMALL !== undefined
const ROUNDS = isSmall ? 4 : 60
const CALLS = isSmall ? 5 : 40
const MOST_BYTES = 6_000

/** What a guard with a warm answer adds to a paid call, and how much a page loads for it. */
export async function rows({ note }: BenchContext): Promise<BenchRow[]> {
  note(`${ROUNDS} rounds of ${CALLS} paid calls with and without a guard`)
  const seller = await open(sell)
  const directory = await open((body) => [200, {}, { asked: JSON.parse(body), allow: true, findings: [] }])
  try {
    const account = privateKeyToAccount(generatePrivateKey())
    const transport = () => new x402HTTPClient(new x402Client().register('eip155:*', new ExactEvmScheme(account)))
    const guard = createGuard({ directory: directory.url, policy: { unreachable: 'refuse' }, limitMs: 10_000 })
    const [plain, guarded] = [
      wrapFetchWithPayment(fetch, transport()),
      wrapFetchWithPayment(guard.fetch(fetch), guard.x402(transport())),
    ]
    const perCall = (pay: typeof fetch) => async () => {
      const { ms } = await timed(async () => {
        for (let call = 0; call < CALLS; call++) {
          const answer = await pay(seller.url)
          if ((await answer.text()) !== SOLD) throw new Error(`not sold: HTTP ${answer.status}`)
        }
      })
      return ms / CALLS
    }
    // Whatever is only done once is done, and the answer is warm.
    for (const pay of [plain, guarded]) await perCall(pay)()
    const { measured, limit, ratio } = await interleaved(ROUNDS, perCall(guarded), perCall(plain))
    return [
      {
        what: 'paid call through x402 with a guard, warm answer',
        ...{ measured: milliseconds(measured), limit: `${milliseconds(limit)} without`, ratio, aim: { below: 1.05 } },
      },
      await size(),
    ]
  } finally {
    await Promise.all([seller.stop(), directory.stop()])
  }
}

async function size(): Promise<BenchRow> {
  const { first } = await bundled('guard/index.ts', { from: 'export *', minify: true, codeSplitting: true })
  const bytes = gzipSync(first).length
  return {
    what: '`tollbook/guard` in a browser, compressed',
    ...{ measured: `${bytes} bytes`, limit: `${MOST_BYTES} bytes`, ratio: bytes / MOST_BYTES, aim: { below: 1 } },
  }
}

const SOLD = JSON.stringify({ sold: true })
type Answer = readonly [status: number, headers: Readonly<Record<string, string>>, body: object]

/** Takes any payment at its word: a seller that settles takes longer, and the guard's part of the call is smaller. */
function sell(_: string, paid: boolean): Answer {
  if (paid) return [200, {}, JSON.parse(SOLD)]
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  const offer = { scheme: 'exact', network: 'eip155:84532', amount: '10000', asset, maxTimeoutSeconds: 60 }
  const accepts = [{ ...offer, payTo: `0x${'1'.repeat(40)}`, extra: { name: 'USDC', version: '2' } }]
  const demand = { x402Version: 2, resource: { url: 'http://seller.test/' }, accepts }
  return [402, { 'PAYMENT-REQUIRED': Buffer.from(JSON.stringify(demand)).toString('base64') }, {}]
}

async function open(answer: (body: string, paid: boolean) => Answer) {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const [status, headers, document] = answer(body, request.headers['payment-signature'] !== undefined)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(document))
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
