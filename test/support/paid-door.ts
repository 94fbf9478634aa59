import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { Problem } from '../../src/domain/problem.ts'
import type { Outcome, PaidRequest, Payment, PaymentRail } from '../../src/payment/rail.ts'

export interface PaidDoor {
  /** Where to post. */
  readonly url: string
  readonly outcomes: Outcome[]
  stop(): Promise<void>
}

export const RESOURCE = 'https://tollbook.example/v1/thread/api.example.com'

/** A request for a post with these headers, as a rail sees it. */
export const paidRequest = (headers: Readonly<Record<string, string>> = {}, body = ''): PaidRequest => ({
  host: 'api.example.com',
  resource: RESOURCE,
  bodyDigest: createHash('sha256').update(body).digest('hex'),
  header: (name) => headers[name.toLowerCase()],
})

/** A paid endpoint of nothing but a rail, for its clients: no store, so that the same credential is judged by the chain alone. */
export async function startPaidDoor(rail: PaymentRail): Promise<PaidDoor> {
  const outcomes: Outcome[] = []
  const enter = async (
    request: PaidRequest,
  ): Promise<{ headers: Readonly<Record<string, string>>; payment: Payment }> => {
    const credential = await rail.read(request)
    if (credential === undefined) throw await rail.demand(request)
    const checked = await rail.check(credential, request)
    if (!checked.ok) throw await rail.demand(request, checked)
    const payment = { ...credential, fromBlock: checked.fromBlock, resource: request.resource }
    const outcome = await rail.settle(payment)
    outcomes.push(outcome)
    if (outcome.kind !== 'paid') throw new Problem('pending', 202, outcome.kind, outcome.reason, '')
    return { headers: rail.receipt({ ...payment, transaction: outcome.transaction, settledUs: 0 }, request), payment }
  }
  const server = createServer(async (incoming, response) => {
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    try {
      const done = await enter(paidRequest(headers, await bodyOf(incoming)))
      response.writeHead(201, { ...done.headers, 'content-type': 'application/json' })
      response.end(JSON.stringify({ payer: done.payment.payer }))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      response.writeHead(error.status, { ...error.headers, 'content-type': 'application/problem+json' })
      response.end(JSON.stringify({ slug: error.slug, detail: error.detail, ...error.more }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1/thread/api.example.com`,
    outcomes,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
