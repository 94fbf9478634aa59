import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFacilitator, type Facilitator, noAnswerWords } from './facilitator.ts'
import { refusalOf } from './refusals.ts'

let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.end()
const seen: IncomingMessage[] = []
const calls: string[] = []
const server = createServer((request, response) => {
  seen.push(request)
  request.resume()
  answer(request, response)
})
let url = ''
let facilitator: Facilitator

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  facilitator = createFacilitator({
    url: `${url}/platform/x402/`,
    headers: { 'x-api-key': 'secret' },
    fetch,
    // Long enough for a machine that is busy; two tests wait for the one of settling.
    deadlines: { verifyMs: 30_000, settleMs: 2_000, supportedMs: 2_000 },
    onCall: (to, outcome) => calls.push(`${to} ${outcome}`),
  })
})
afterAll(
  () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    }),
)
beforeEach(() => {
  seen.length = 0
})

const PAYMENT = { x402Version: 2, paymentPayload: {}, paymentRequirements: {} } as const
const json = (status: number, body: string) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}

test('Calls carry the operator’s headers to the configured address.', async () => {
  answer = json(200, '{"isValid":true,"payer":"0xaa","invalidReason":null}')
  expect(await facilitator.verify(PAYMENT)).toEqual({ answered: true, isValid: true, payer: '0xaa' })
  expect(seen[0]?.url).toBe('/platform/x402/verify')
  expect(seen[0]?.headers['x-api-key']).toBe('secret')
})

test('A refusal that comes with status 400 is an answer.', async () => {
  answer = json(400, '{"isValid":false,"invalidReason":"insufficient_funds"}')
  expect(await facilitator.verify(PAYMENT)).toMatchObject({ answered: true, invalidReason: 'insufficient_funds' })
})

test.each([
  [
    'a server error with a verdict',
    500,
    'answered HTTP 500',
    json(500, '{"success":false,"errorReason":"invalid_payload","transaction":""}'),
  ],
  ['no JSON', 200, 'answered HTTP 200 with what cannot be read', json(200, '<html>')],
  ['JSON of another shape', 200, 'answered HTTP 200 with what cannot be read', json(200, '[]')],
  ['a refusal without words', 403, 'answered HTTP 403', json(403, 'no')],
  [
    'an answer without end',
    200,
    'did not answer in time',
    (_: IncomingMessage, response: ServerResponse) => void response.write('{'),
  ],
  [
    'an answer that is too long',
    200,
    'answered HTTP 200 with what cannot be read',
    json(200, `{"success":true,"x":"${'a'.repeat(300_000)}"}`),
  ],
  ['nothing', null, 'did not answer in time', () => undefined],
  ['a reset', null, 'could not be reached', (_: IncomingMessage, response: ServerResponse) => void response.destroy()],
])('%s is no answer, and is told from the others.', async (_, status, words, how) => {
  answer = how
  const none = await facilitator.settle(PAYMENT)
  if (none.answered) throw new Error('it was taken for an answer')
  expect([none.status, noAnswerWords(none)]).toEqual([status, words])
  expect(calls.at(-1)).toBe(`facilitator ${none.outcome}`)
})

test('A redirect is not followed: the headers are for the configured address alone.', async () => {
  answer = (_, response) => {
    response.writeHead(307, { location: `${url}/elsewhere` })
    response.end()
  }
  expect(await facilitator.verify(PAYMENT)).toMatchObject({ answered: false, status: null })
  expect(seen).toHaveLength(1)
})

test('Only words of the protocol’s form are repeated to payers.', () => {
  expect(refusalOf('insufficient_funds').code).toBe('insufficient_funds')
  for (const said of ['Error: at https://node.example/key\n  stack', '', 'x'.repeat(100), undefined]) {
    expect(refusalOf(said)).toEqual({ code: 'invalid_payload', reason: 'The facilitator does not accept the payment.' })
  }
})
