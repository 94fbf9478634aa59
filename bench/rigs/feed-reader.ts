import { once } from 'node:events'
import { get, type Server } from 'node:http'

/** Reads the server's one answer to its end and keeps nothing; answers how often a text was in it. */
export async function readAway(server: Server, text: string): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  let found = 0
  let rest = ''
  await new Promise<void>((resolve, reject) => {
    get({ port: address.port, host: '127.0.0.1', agent: false }, (incoming) => {
      incoming.setEncoding('utf8')
      incoming.on('data', (piece: string) => {
        const parts = (rest + piece).split(text)
        found += parts.length - 1
        rest = (parts.at(-1) ?? '').slice(-text.length + 1)
      })
      incoming.on('end', resolve)
      incoming.on('error', reject)
    }).on('error', reject)
  })
  server.close()
  return found
}
