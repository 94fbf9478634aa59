import { createServer } from 'node:http'

/** What a request is answered with, as JSON; `undefined`: its connection is cut. */
export type JsonAnswer = (path: string, body: string) => unknown

/** A server on loopback that answers JSON. */
export async function startJsonServer(answer: JsonAnswer): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const found = answer(request.url ?? '', Buffer.concat(chunks).toString())
      if (found === undefined) return void response.destroy()
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(found))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
