import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSeeded } from '../../../test/crash/seeded.ts'
import { cleanEnvironment, joined } from '../../../test/support/program.ts'
import { type Base, startBase } from '../base.ts'
import { dollarAbi } from '../contracts.ts'
import { LUCKY } from '../testing/sending-child.ts'

const KILLS = 6
const LATEST_MS = 1_500

let folder: string
let stateFile: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollbook-chain-'))
  stateFile = join(folder, 'base.chain.ndjson')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Sends until it is killed: so many answers of the chain, and then a moment later. Gives all that it has answered. */
async function killedWhileSending(answers: number, thenMs: number): Promise<Hex[]> {
  const child = spawn(process.execPath, [joined('sending-child'), stateFile], {
    env: cleanEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const said: Hex[] = []
  await new Promise<void>((resolve) => {
    if (answers === 0) resolve()
    createInterface({ input: child.stdout }).on('line', (line) => {
      // A line that the kill has cut short is no answer.
      if (/^0x[0-9a-f]{64}$/.test(line)) said.push(`0x${line.slice(2)}`)
      if (said.length >= answers) resolve()
    })
  })
  await wait(thenMs)
  child.kill('SIGKILL')
  await closed
  return said
}

async function minted({ publicClient, dollar }: Base): Promise<readonly Hex[]> {
  const logs = await publicClient.getContractEvents({
    address: dollar,
    abi: dollarAbi,
    eventName: 'Transfer',
    args: { to: LUCKY },
    fromBlock: 0n,
  })
  return logs.map(({ transactionHash }) => transactionHash)
}

describe('a chain whose program is killed with -9 at any moment', () => {
  it('has everything that it has answered, says the same about it as ever, and goes on', async () => {
    const random = startSeeded('a chain is killed')
    const answered = new Set<Hex>()
    let height = 0n
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Now and then before the first, in the middle of starting.
      const answers = kill % 3 === 1 ? 0 : random.between(1, 12)
      for (const hash of await killedWhileSending(answers, random.between(0, LATEST_MS))) answered.add(hash)
      const base = await startBase({ stateFile })
      const found = await minted(base)
      expect(found).toEqual(expect.arrayContaining([...answered]))
      expect(new Set(found).size).toBe(found.length)
      expect(await base.balanceOf(LUCKY)).toBe(BigInt(found.length))
      for (const hash of found) {
        expect(await base.publicClient.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
      }
      expect(await base.publicClient.getBlockNumber()).toBeGreaterThanOrEqual(height)
      height = await base.publicClient.getBlockNumber()
      await base.stop()
    }
    console.info(`${KILLS} kills, ${answered.size} transactions answered, ${height} blocks`)
    expect(answered.size).toBeGreaterThan(KILLS / 2)
    expect(readFileSync(stateFile, 'utf8').endsWith('{"kind":"closed"}\n')).toBe(true)
  }, 300_000)
})
