import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { bridgeStdio } from './on-stdio.ts'

const DISCOVER =
  '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}'

it('Of a directory elsewhere whose answer never ends no more is read than an answer may have, and the client is told.', async () => {
  const megabyte = Buffer.alloc(1_000_000, ' ')
  let sent = 0
  const endless = createServer((_, response) => {
    const body = new Readable({
      read() {
        sent += 1
        this.push(megabyte)
      },
    })
    response.once('close', () => body.destroy())
    body.pipe(response)
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const { port } = endless.address() as AddressInfo
  const [input, output] = [new PassThrough(), new PassThrough()]
  const said = text(output)
  const troubles: unknown[] = []
  input.end(`${DISCOVER}\n`)
  await bridgeStdio(new URL(`http://127.0.0.1:${port}/mcp`), { input, output }, (error) => troubles.push(error))
  output.end()
  expect(JSON.parse(await said)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32_603, message: 'longer than 16000000 bytes' },
  })
  expect(troubles).toHaveLength(1)
  expect(sent).toBeLessThan(100)
  endless.closeAllConnections()
  endless.close()
})
