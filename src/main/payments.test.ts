import { rmSync } from 'node:fs'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/engines.ts'
import { openStore } from '../store/open.ts'
import { loadConfig } from './config.ts'
import { createLog } from './log.ts'
import { createPayments } from './payments.ts'

const X402 = {
  X402_PAY_TO: '0x00000000000000000000000000000000000000AA',
  X402_NETWORKS: 'base,base-sepolia',
  X402_FACILITATOR_URL: 'http://127.0.0.1:9',
}

/** What a start with these variables logs, and the settlement of each network in the policy. */
async function started(env: Record<string, string>): Promise<{ logged: string; settlements: string[] }> {
  const dataDir = temporaryFolder()
  const store = await openStore({ dataDir, databaseUrl: undefined })
  let logged = ''
  const sink = new Writable({
    write: (chunk, _, done) => {
      logged += chunk
      done()
    },
  })
  const stopped = AbortSignal.abort()
  const payments = await createPayments(loadConfig({ ...X402, ...env }), store, createLog('info', sink))
  await payments.reconcile(stopped)
  const settlements = payments
    .policy()
    .rails.flatMap(({ terms }) => terms.map((one) => `${one.network} ${one.settlement}`))
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
  return { logged, settlements }
}

it('A start names the networks on which the facilitator is believed, and the policy says so too.', async () => {
  const { logged, settlements } = await started({ RPC_URLS: 'eip155:84532=http://user:secret@127.0.0.1:9' })
  expect(JSON.parse(logged)).toMatchObject({ level: 'warn', networks: ['eip155:8453'] })
  expect(logged).not.toContain('secret')
  expect(settlements).toEqual(['eip155:8453 as the facilitator says', 'eip155:84532 verified on chain'])
})

it('A start with a node for every network warns of nothing.', async () => {
  const { logged } = await started({ RPC_URLS: 'eip155:8453=http://127.0.0.1:9,eip155:84532=http://127.0.0.1:9' })
  expect(logged).toBe('')
})
