import { type Hash, http, isHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { tollbook } from '../support/program.ts'
import { documentOf } from './answers.ts'
import { x402v2 } from './clients.ts'
import { itHasCommands } from './threads/commands.ts'
import { itHoldsCredentials } from './threads/credentials.ts'
import { itTakesPosts } from './threads/directory.ts'
import { JSON_TYPE, openForTests, pathOf } from './threads/opened.ts'
import { itPays, KINDS } from './threads/payments.ts'
import { signedBody } from './world.ts'

const threads = openForTests()

describe.each(KINDS)('$name', (kind) => itPays(kind, threads))
describe('a credential', () => itHoldsCredentials(threads))
describe('a directory with paid threads', () => itTakesPosts(threads))
describe('the commands', () => itHasCommands(threads))

function hashOf(text: string): Hash {
  if (!isHash(text)) throw new Error(`not a hash: ${text}`)
  return text
}

// Last: it moves the clock of Base past the end of every authorisation.
describe('a post whose payment is reorganised away', () => {
  it('is withdrawn once that is final, also by a program that was started after the first was killed', async () => {
    const wallet = await threads.world.wallet()
    const text = 'Paid for a moment'
    const init = { method: 'POST', headers: JSON_TYPE, body: await signedBody(wallet, { text }) }
    const posted = await x402v2(threads.world, wallet)(threads.at(pathOf('x402')), init)
    expect(posted.status).toBe(201)
    const { id, payment } = await documentOf(posted)
    const { publicClient, testClient, rpcUrl } = threads.world.base
    const { blockNumber } = await publicClient.getTransactionReceipt({ hash: hashOf(payment.transaction) })
    const depth = Number((await publicClient.getBlockNumber()) - blockNumber) + 1
    await http(rpcUrl)({}).request({ method: 'anvil_reorg', params: [depth, []] })
    expect((await threads.get(`/v1/posts/${id}`)).text).toBe(text)
    await threads.world.server.stop('SIGKILL')
    await threads.world.base.advance(600)
    await testClient.mine({ blocks: 70, interval: 1 })
    await threads.world.restart()
    const shown = async () => (await fetch(threads.at(`/v1/posts/${id}`))).text()
    await expect.poll(shown, { timeout: 50_000, interval: 500 }).toContain('its payment is no longer on chain')
    expect(await shown()).not.toContain(text)
    const listed = await tollbook(['payments', '--state', 'expired'], threads.world.env)
    expect(listed.out).toContain('its payment is no longer on chain: The authorisation ended unused.')
    const again = await fetch(threads.at(pathOf('x402')), init)
    expect([again.status, (await documentOf(again)).charged]).toEqual([402, false])
  })
})
