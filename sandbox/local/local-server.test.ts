import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startBase } from '../chain/base.ts'
import { startFacilitator } from '../chain/facilitator.ts'
import { startTempo } from '../chain/tempo.ts'
import { mppGate } from '../shop/mpp-gate.ts'
import { openShops } from '../shop/server.ts'
import { x402Gate } from '../shop/x402-gate.ts'

/** Longer than Node's own servers keep a connection. */
const LONG_MS = 6_500
const NOBODY: `0x${string}` = '0x0000000000000000000000000000000000000001'

/** Asks once, keeps the connection, and says what comes of it. */
async function kept(url: string): Promise<{ isOpen(): boolean; end(): void }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await once(socket, 'data')
  return { isOpen: () => !socket.readableEnded && !socket.destroyed, end: () => socket.destroy() }
}

it('Chains, the facilitator and sellers end no connection that a client keeps: nobody asks on one that has ended.', async () => {
  const [base, tempo] = await Promise.all([startBase(), startTempo()])
  const facilitator = await startFacilitator(base)
  const payeeOf = () => NOBODY
  const shops = await openShops({
    terms: { dollar: base.dollar, pathUsd: tempo.currency, payeeOf },
    x402: x402Gate({ facilitatorUrl: facilitator.url, dollar: base.dollar, payeeOf }),
    mpp: mppGate({ chain: tempo, secretKey: 'a secret of at least thirty-two bytes', payeeOf }),
    proofOf: () => '',
  })
  const ports = [shops.port, shops.abroadPort].map((port) => `http://127.0.0.1:${port}`)
  const connections = await Promise.all([base.rpcUrl, tempo.url, facilitator.url, ...ports].map(kept))
  await wait(LONG_MS)
  expect(connections.map((one) => one.isOpen())).toEqual([true, true, true, true, true])
  for (const one of connections) one.end()
  await shops.stop()
  await facilitator.stop()
  await Promise.all([base.stop(), tempo.stop()])
})
