import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dollarAbi } from '../../contracts.ts'
import { DOLLAR, everything, openTestChain, type TestChain } from '../../testing/test-chain.ts'
import { Journal } from './journal.ts'

const PAYEE = '0x1111111111111111111111111111111111111111'
const OTHER = '0x2222222222222222222222222222222222222222'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollbook-chain-'))
  file = join(folder, 'base.chain.ndjson')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (): Promise<TestChain> => openTestChain({ stateFile: file })
/** Nobody has written to the file for long. */
const leave = (): void => utimesSync(file, 0, 0)

describe('a chain that is opened again', () => {
  it('is the chain that it was, whatever happened to it', async () => {
    const chain = await open()
    const { ask, cheats, send, signedMint } = chain
    const hashes = [await send(await signedMint(0, PAYEE, 1n))]
    await cheats.mine({ blocks: 3 })
    hashes.push(await send(await signedMint(1, PAYEE, 10n)))
    await cheats.setCode({ address: OTHER, bytecode: '0x6001' })
    await cheats.setBalance({ address: OTHER, value: 77n })
    await ask('anvil_reorg', 2, [])
    hashes.push(await send(await signedMint(1, PAYEE, 100n)))
    const id = await cheats.snapshot()
    hashes.push(await send(await signedMint(2, PAYEE, 1_000n)))
    await cheats.revert({ id })
    hashes.push(await send(await signedMint(2, PAYEE, 10_000n)))
    await cheats.increaseTime({ seconds: 5_000 })
    await cheats.mine({ blocks: 2, interval: 60 })
    // Waits for one that nobody has sent yet.
    hashes.push(await send(await signedMint(4, PAYEE, 100_000n)))
    const before = await everything(chain, hashes, [PAYEE, OTHER])
    await chain.close()

    const again = await open()
    expect(await everything(again, hashes, [PAYEE, OTHER])).toEqual(before)
    await again.send(await again.signedMint(3, PAYEE, 1_000_000n))
    expect(await again.balanceOf(PAYEE)).toBe(1_110_101n)
    const { timestamp } = await again.client.getBlock()
    expect(Number(timestamp) - Date.now() / 1000).toBeGreaterThan(5_000)
    await again.close()
  })

  it('has what was tried before it was done', async () => {
    const chain = await open()
    const mint = { address: DOLLAR, abi: dollarAbi, functionName: 'mint', args: [PAYEE, 5n] } as const
    await chain.client.simulateContract(mint)
    await chain.cheats.mine({ blocks: 1 })
    await chain.send(await chain.signedMint(0, PAYEE, 5n))
    await chain.close()
    const again = await open()
    expect(await again.balanceOf(PAYEE)).toBe(5n)
    await again.close()
  })

  it('grows by what happens and not by being opened', async () => {
    await (await open()).close()
    const size = readFileSync(file).length
    await (await open()).close()
    await (await open()).close()
    expect(readFileSync(file).length - size).toBeLessThan(100)
  })

  it('has lost no more than the line that was cut short, wherever that was', async () => {
    const chain = await open()
    for (const nonce of [0, 1, 2]) await chain.send(await chain.signedMint(nonce, PAYEE, 1n))
    const whole = readFileSync(file)
    const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1)
    // One byte of a line, its middle, and all but its end, from the first line to the last.
    const cuts = ends.flatMap((end, n) => {
      const start = ends[n - 1] ?? 0
      return [start, start + 1, Math.floor((start + end) / 2), end - 1]
    })
    for (const cut of cuts) {
      writeFileSync(file, whole.subarray(0, cut))
      leave()
      const again = await open()
      const minted = await again.balanceOf(PAYEE)
      const lines = ends.filter((end) => end <= cut).length
      // The chain, its first block and the dollar come first; then each line is a mint.
      expect(minted, `cut at ${cut}`).toBe(BigInt(Math.max(0, lines - 3)))
      await again.send(await again.signedMint(Number(minted), OTHER, 9n))
      await again.close()
      const last = await open()
      expect([await last.balanceOf(PAYEE), await last.balanceOf(OTHER)]).toEqual([minted, 9n])
      await last.close()
    }
  })

  it('drops a last line that holds no entry', async () => {
    await (await open()).close()
    appendFileSync(file, `${'\0'.repeat(500)}\n`)
    leave()
    const again = await open()
    expect(await again.client.getBlockNumber()).toBe(0n)
    await again.close()
    expect(readFileSync(file, 'utf8')).not.toContain('\0')
  })

  it('refuses a file that is damaged in its middle, and says what to do', async () => {
    const chain = await open()
    await chain.cheats.mine({ blocks: 3 })
    await chain.close()
    const lines = readFileSync(file, 'utf8').split('\n')
    lines[2] = lines[2]?.slice(0, 20) ?? ''
    writeFileSync(file, lines.join('\n'))
    await expect(open()).rejects.toMatchObject({
      detail: `${file} is damaged in line 3`,
      hint: 'npm start -- --fresh starts over',
    })
  })

  it('refuses the file of another chain', async () => {
    await (await open()).close()
    const other = openTestChain({ stateFile: file, chainId: 1 })
    await expect(other).rejects.toMatchObject({ detail: `${file} holds another chain` })
  })
})

describe('the one owner of a journal', () => {
  it('is whoever writes to it: another does not get it', async () => {
    const { journal } = await Journal.open(file)
    journal.append([{ kind: 'clock', ahead: 1 }])
    const writing = setInterval(() => journal.append([{ kind: 'clock', ahead: 2 }]), 50)
    await expect(Journal.open(file)).rejects.toMatchObject({
      detail: `another program uses the chain in ${file}`,
      hint: 'stop it, or set another DATA_DIR',
    })
    clearInterval(writing)
    journal.close()
    const { journal: next, entries } = await Journal.open(file)
    expect(entries.at(-1)).toEqual({ kind: 'closed' })
    next.close()
  })

  it('writes no more once another has written, so that two never mix', async () => {
    const { journal: first } = await Journal.open(file)
    first.append([{ kind: 'clock', ahead: 1 }])
    leave()
    const { journal: second } = await Journal.open(file)
    second.append([{ kind: 'clock', ahead: 2 }])
    expect(() => first.append([{ kind: 'clock', ahead: 3 }])).toThrow('another program')
    second.close()
    const { entries, journal } = await Journal.open(file)
    expect(entries.slice(0, 2)).toEqual([
      { kind: 'clock', ahead: 1 },
      { kind: 'clock', ahead: 2 },
    ])
    journal.close()
  })

  it('has not done what it could not write down', async () => {
    const chain = await open()
    await chain.send(await chain.signedMint(0, PAYEE, 1n))
    // Whatever keeps it from writing: here, a file that is not as it left it.
    const size = readFileSync(file).length
    appendFileSync(file, 'x')
    const raw = await chain.signedMint(1, PAYEE, 10n)
    await expect(chain.send(raw)).rejects.toThrow('another program')
    expect([await chain.balanceOf(PAYEE), await chain.client.getBlockNumber()]).toEqual([1n, 1n])
    truncateSync(file, size)
    await chain.send(raw)
    expect(await chain.balanceOf(PAYEE)).toBe(11n)
    await chain.close()
    const again = await open()
    expect(await again.balanceOf(PAYEE)).toBe(11n)
    await again.close()
  })
})
