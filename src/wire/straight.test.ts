import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { straight } from './straight.ts'

let answer: (request: IncomingMessage, response: ServerResponse) => void
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  request.resume()
  answer(request, response)
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked.length = 0
})

it('gives the answer of the address, whatever its status', async () => {
  for (const status of [200, 201, 304, 402, 404, 500]) {
    answer = (_, response) => response.writeHead(status).end(status === 304 ? '' : 'words')
    const given = await straight(fetch, url, { method: 'POST', body: 'a' })
    expect([given.status, await given.text()]).toEqual([status, status === 304 ? '' : 'words'])
  }
  expect(new Set(asked)).toEqual(new Set(['POST /']))
})

it.each([301, 302, 303, 307, 308])('goes nowhere else on a %d', async (status) => {
  answer = (_, response) => response.writeHead(status, { location: `${url}/elsewhere` }).end('words')
  await expect(straight(fetch, `${url}/here`)).rejects.toThrow(TypeError)
  expect(asked).toEqual(['GET /here'])
})

it('keeps its deadline for an answer that has begun, however often garbage is collected', async () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('garbage is not collected')
  answer = (_, response) => void response.write('{')
  const collecting = setInterval(() => collect(), 20)
  try {
    const ends = Array.from({ length: 5 }, async () => {
      const given = await straight(fetch, url, { signal: AbortSignal.timeout(500) })
      return given.text()
    })
    for (const end of await Promise.allSettled(ends))
      expect(end).toMatchObject({ status: 'rejected', reason: { name: 'TimeoutError' } })
  } finally {
    clearInterval(collecting)
  }
})
