import { createServer } from 'node:http'
import { answering } from '../rigs/child.ts'
import { listenOnLoopback } from '../rigs/loopback.ts'

/** A 402 of the usual size, 5 ms after the question. */
const ANSWER_MS = 5
const BODY = JSON.stringify({
  x402Version: 1,
  error: 'X-PAYMENT header is required',
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '10000',
      resource: 'http://seller.example/v1/x',
      description: 'One answer',
      mimeType: 'application/json',
      payTo: '0x1111111111111111111111111111111111111111',
      maxTimeoutSeconds: 60,
      asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    },
  ],
})

const server = createServer((request, response) => {
  setTimeout(() => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else response.writeHead(402, { 'content-type': 'application/json' }).end(BODY)
  }, ANSWER_MS)
})
const port = await listenOnLoopback(server, 4096)

answering(async () => ({ port }))
