import { createServer } from 'node:http'
import { answering } from '../rigs/child.ts'
import { listenOnLoopback } from '../rigs/loopback.ts'
import { item, PAGE } from '../rigs/sweep-items.ts'

/** A facilitator in a process of its own: pages of items that are made when they are asked for. */
answering<{ items: number }, { port: number }>(async ({ items }) => {
  const server = createServer((request, response) => {
    const offset = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('offset'))
    const page = Array.from({ length: Math.min(PAGE, Math.max(0, items - offset)) }, (_, n) => item(offset + n))
    const body = JSON.stringify({ x402Version: 2, items: page, pagination: { limit: PAGE, offset, total: items } })
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  return { port: await listenOnLoopback(server) }
})
