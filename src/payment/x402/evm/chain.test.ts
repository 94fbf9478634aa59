import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { broadcast, signAuthorization } from '../../../../sandbox/chain/authorization.ts'
import { account, type Base, startBase } from '../../../../sandbox/chain/base.ts'
import { portOf } from '../../../../sandbox/local/local-server.ts'
import { onEachChain } from '../../../../test/support/chains.ts'
import { createNodes } from '../../nodes.ts'
import { createChainView } from '../chain-view.ts'
import type { Sought } from '../outcome.ts'

const PRICE = 50_000n
/** Seconds between blocks: a day and an hour are 150 of them. */
const APART_S = 600

let base: Base

/** Stands before the chain's node and keeps the methods that were called. */
async function watchedNode(): Promise<{ url: string; called: string[]; stop: () => void }> {
  const called: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    called.push(String(JSON.parse(body).method))
    const answer = await fetch(base.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.writeHead(200, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${portOf(server.address())}`, called, stop: () => void server.close() }
}

onEachChain((name) => {
  beforeAll(async () => {
    base = await startBase({ node: name })
  })
  afterAll(() => base?.stop())

  test('A payment that was checked without a node is looked for around its time, not from the first block on.', async () => {
    const payer = privateKeyToAccount(generatePrivateKey())
    const payee = account(base.accounts, 5).address
    await base.fund(payer.address, PRICE)
    for (let n = 0; n < 4; n++) await base.testClient.mine({ blocks: 300, interval: APART_S })
    const { timestamp } = await base.publicClient.getBlock()
    const validBeforeS = Number(timestamp) + 300
    const signed = await signAuthorization(base, payer, { to: payee, value: PRICE, validBeforeS })
    const sought: Sought = {
      key: `${base.network}:${base.dollar}:${payer.address}:${signed.authorization.nonce}`.toLowerCase(),
      network: base.network,
      asset: base.dollar,
      payer: payer.address,
      payee,
      amount: String(PRICE),
      expiresUs: validBeforeS * 1_000_000,
      fromBlock: 0,
    }
    const transaction = await broadcast(base, signed)
    await base.testClient.mine({ blocks: 20, interval: APART_S })
    const node = await watchedNode()
    const ledger = createChainView(createNodes(new Map([[base.network, node.url]])), base.network)
    const searches = (): number => node.called.filter((method) => method === 'eth_getLogs').length
    expect(await ledger?.look(sought)).toEqual({ kind: 'paid', transaction, logIndex: 1 })
    expect(searches()).toBe(1)
    expect(node.called.length).toBeLessThan(30)
    // A transaction that is named rightly needs no search.
    expect(await ledger?.find(sought, transaction)).toEqual({ kind: 'paid', transaction, logIndex: 1 })
    expect(searches()).toBe(1)
    node.stop()
  })
})
