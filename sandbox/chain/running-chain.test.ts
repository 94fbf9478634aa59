import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { portOf } from '../local/local-server.ts'
import { transportTo } from './running-chain.ts'

it('A transaction whose answer is lost is not sent a second time, which would be refused as known.', async () => {
  let asked = 0
  const node = createServer((request) => {
    asked += 1
    request.socket.destroy()
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { request } = transportTo(`http://127.0.0.1:${portOf(node.address())}`)({})
  await expect(request({ method: 'eth_sendRawTransaction', params: ['0x'] })).rejects.toThrow()
  expect(asked).toBe(1)
  node.close()
})
