import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { dollarAbi, factoryAbi, factoryCode } from '../contracts.ts'
import { developmentAccount } from '../development-accounts.ts'
import { DOLLAR, openTestChain } from '../testing/test-chain.ts'

const PAYEE = '0x1111111111111111111111111111111111111111'
const OTHER = '0x2222222222222222222222222222222222222222'

describe('a transaction', () => {
  it('is in a block of its own when its sender is answered, with its receipt, its logs and its balances', async () => {
    const { client, send, signedMint, balanceOf } = await openTestChain()
    const hash = await send(await signedMint(0, PAYEE, 5n))
    const receipt = await client.getTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', blockNumber: 1n, contractAddress: null, to: DOLLAR })
    expect(receipt.logs).toMatchObject([{ address: DOLLAR, logIndex: 0, transactionHash: hash, blockNumber: 1n }])
    expect(await client.getTransaction({ hash })).toMatchObject({ nonce: 0, blockHash: receipt.blockHash })
    expect(await client.getBlock({ blockNumber: 1n })).toMatchObject({ transactions: [hash], hash: receipt.blockHash })
    expect([await balanceOf(PAYEE), await balanceOf(PAYEE, 0n)]).toEqual([5n, 0n])
  })

  it('moves ether and pays for its gas', async () => {
    const { client, wallet } = await openTestChain()
    const [from, to] = [developmentAccount(1), PAYEE] as const
    const hash = await wallet(from).sendTransaction({ to, value: parseEther('1') })
    const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
    expect(await client.getBalance({ address: to })).toBe(parseEther('1'))
    expect(await client.getBalance({ address: from.address })).toBe(parseEther('9999') - gasUsed * effectiveGasPrice)
  })

  it('that makes a contract says where it is', async () => {
    const { client, wallet } = await openTestChain()
    const hash = await wallet(developmentAccount(1)).deployContract({ abi: factoryAbi, bytecode: factoryCode.creation })
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    expect(await client.getCode({ address: contractAddress ?? '0x' })).toBe(factoryCode.runtime)
  })

  it('that fails stays failed on the chain, without logs, and costs its fee', async () => {
    const { client, wallet } = await openTestChain()
    const request = { address: DOLLAR, abi: dollarAbi, functionName: 'transfer', args: [PAYEE, 1n] } as const
    const hash = await wallet(developmentAccount(1)).writeContract({ ...request, gas: 100_000n })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'reverted', logs: [] })
    expect(await client.getBalance({ address: developmentAccount(1).address })).toBeLessThan(parseEther('10000'))
    expect(await client.getTransactionCount({ address: developmentAccount(1).address })).toBe(1)
  })

  it('is taken once', async () => {
    const { send, signedMint, balanceOf } = await openTestChain()
    const raw = await signedMint(0, PAYEE, 5n)
    await send(raw)
    await expect(send(raw)).rejects.toThrow('already known')
    await expect(send(await signedMint(0, PAYEE, 7n))).rejects.toThrow('nonce too low')
    expect(await balanceOf(PAYEE)).toBe(5n)
  })

  it('of a wallet without money, for another chain, or unreadable is refused', async () => {
    const { cheats, client, send, signedMint } = await openTestChain()
    const other = { to: PAYEE, chainId: 1, gas: 21_000n, maxFeePerGas: 3_000_000_000n, type: 'eip1559' } as const
    await expect(send(await developmentAccount(1).signTransaction(other))).rejects.toThrow('chain')
    await expect(send('0x02c0')).rejects.toThrow('failed to decode')
    await cheats.setBalance({ address: developmentAccount(9).address, value: 0n })
    await expect(send(await signedMint(0, PAYEE, 5n))).rejects.toThrow('insufficient funds')
    expect(await client.getBlockNumber()).toBe(0n)
  })

  it('waits for those before it, and then runs in their order', async () => {
    const { ask, client, send, signedMint, balanceOf } = await openTestChain()
    const raws = await Promise.all([0, 1, 2, 3].map((nonce) => signedMint(nonce, PAYEE, BigInt(10 ** nonce))))
    const hashes = []
    for (const raw of [...raws.slice(2), ...raws.slice(0, 1)]) hashes.push(await send(raw))
    expect(await balanceOf(PAYEE)).toBe(1n)
    expect(await ask('eth_getTransactionByHash', hashes[0])).toMatchObject({ blockNumber: null, nonce: '0x2' })
    expect(await ask('eth_getTransactionReceipt', hashes[0])).toBeNull()
    const count = (blockTag: 'latest' | 'pending') =>
      client.getTransactionCount({ address: developmentAccount(9).address, blockTag })
    expect([await count('latest'), await count('pending')]).toEqual([1, 1])
    await send(raws[1] ?? '0x')
    expect(await balanceOf(PAYEE)).toBe(1111n)
    expect([await count('latest'), await count('pending')]).toEqual([4, 4])
    expect(await client.getBlockNumber()).toBe(4n)
  })

  it('that waited and cannot be paid for any more is let go, and its sender is not held up', async () => {
    const { cheats, send, signedMint, balanceOf, ask } = await openTestChain()
    const late = await send(await signedMint(1, PAYEE, 10n))
    // Enough for the first alone.
    await cheats.setBalance({ address: developmentAccount(9).address, value: 100_000n * 3_000_000_000n })
    await send(await signedMint(0, PAYEE, 1n))
    expect(await balanceOf(PAYEE)).toBe(1n)
    expect(await ask('eth_getTransactionByHash', late)).toBeNull()
    await cheats.setBalance({ address: developmentAccount(9).address, value: parseEther('1') })
    await send(await signedMint(1, PAYEE, 100n))
    expect(await balanceOf(PAYEE)).toBe(101n)
  })

  it('is one of many that were sent at once', async () => {
    const { send, signedMint, balanceOf, client } = await openTestChain()
    const raws = await Promise.all(Array.from({ length: 20 }, (_, nonce) => signedMint(nonce, PAYEE, 1n)))
    await Promise.all(raws.reverse().map((raw) => send(raw)))
    expect([await balanceOf(PAYEE), await client.getBlockNumber()]).toEqual([20n, 20n])
  })
})

describe('a call', () => {
  it('that fails says why, with the code and the data that clients decode', async () => {
    const { ask, client } = await openTestChain()
    const transfer = { address: DOLLAR, abi: dollarAbi, functionName: 'transfer', args: [PAYEE, 1n] } as const
    await expect(client.simulateContract(transfer)).rejects.toThrow('transfer amount exceeds balance')
    const data = `0xa9059cbb${PAYEE.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
    const raw = ask('eth_call', { to: DOLLAR, data })
    await expect(raw).rejects.toMatchObject({ code: 3, data: expect.stringMatching(/^0x08c379a0/) })
    await expect(ask('eth_estimateGas', { to: DOLLAR, data })).rejects.toMatchObject({ code: 3 })
  })

  it('leaves nothing behind', async () => {
    const { client, balanceOf } = await openTestChain()
    const before = await client.getBlock()
    const mint = { address: DOLLAR, abi: dollarAbi, functionName: 'mint', args: [PAYEE, 5n] } as const
    await client.simulateContract(mint)
    expect(await balanceOf(PAYEE)).toBe(0n)
    expect(await client.getBlock()).toEqual(before)
  })

  it('of code that is on no chain runs as if it were', async () => {
    const { client } = await openTestChain()
    // Answers 42, as checks of signatures do that deploy nothing.
    expect((await client.call({ data: '0x602a60005260206000f3' })).data).toBe(`0x${'2a'.padStart(64, '0')}`)
  })
})

describe('the names of blocks', () => {
  it('stand 0, 32 and 64 blocks behind the newest', async () => {
    const { client, cheats } = await openTestChain()
    await cheats.mine({ blocks: 10 })
    expect((await client.getBlock({ blockTag: 'finalized' })).number).toBe(0n)
    await cheats.mine({ blocks: 90 })
    const tags = ['latest', 'safe', 'finalized', 'earliest'] as const
    const numbers = await Promise.all(tags.map(async (blockTag) => (await client.getBlock({ blockTag })).number))
    expect(numbers).toEqual([100n, 68n, 36n, 0n])
  })

  it('beyond the newest block name none', async () => {
    const { ask } = await openTestChain()
    expect(await ask('eth_getBlockByNumber', '0x64', false)).toBeNull()
    await expect(ask('eth_getBalance', PAYEE, '0x64')).rejects.toThrow('header not found')
  })
})

describe('what is not known', () => {
  it('is said to be so, in the code that makes clients go another way', async () => {
    const { ask } = await openTestChain()
    await expect(ask('eth_fillTransaction', {})).rejects.toMatchObject({ code: -32601 })
    await expect(ask('toString')).rejects.toMatchObject({ code: -32601 })
    await expect(ask('eth_getBalance', 'nobody')).rejects.toMatchObject({ code: -32602 })
  })
})

describe('the clock of a chain', () => {
  it('never runs ahead of the wall clock, however many blocks come in one second', async () => {
    let nowS = 1_000_000
    const { client, send, signedMint } = await openTestChain({ wallS: () => nowS })
    const times = new Set<bigint>()
    for (let nonce = 0; nonce < 10; nonce += 1) {
      await send(await signedMint(nonce, PAYEE, 1n))
      times.add((await client.getBlock()).timestamp)
    }
    expect([...times]).toEqual([1_000_000n])
    nowS += 7
    await send(await signedMint(10, PAYEE, 1n))
    expect((await client.getBlock()).timestamp).toBe(1_000_007n)
  })

  it('never goes back', async () => {
    let nowS = 1_000_000
    const { client, cheats } = await openTestChain({ wallS: () => nowS })
    nowS -= 500
    await cheats.mine({ blocks: 1 })
    expect((await client.getBlock()).timestamp).toBe(1_000_000n)
  })

  it('is as far ahead as it was moved, and goes on from there', async () => {
    let nowS = 1_000_000
    const { client, cheats } = await openTestChain({ wallS: () => nowS })
    await cheats.increaseTime({ seconds: 600 })
    await cheats.mine({ blocks: 1 })
    expect((await client.getBlock()).timestamp).toBe(1_000_600n)
    await cheats.mine({ blocks: 3, interval: 100 })
    expect((await client.getBlock()).timestamp).toBe(1_000_800n)
    nowS += 5
    await cheats.mine({ blocks: 1 })
    expect((await client.getBlock()).timestamp).toBe(1_000_805n)
  })
})

describe('a chain that goes back', () => {
  it('to a snapshot has forgotten what came after it, and may take it again', async () => {
    const { client, cheats, send, signedMint, balanceOf } = await openTestChain()
    await send(await signedMint(0, PAYEE, 1n))
    const id = await cheats.snapshot()
    const [code, raw] = ['0x6001', await signedMint(1, PAYEE, 10n)] as const
    const hash = await send(raw)
    await cheats.setCode({ address: OTHER, bytecode: code })
    const { hash: before } = await client.getBlock()
    await cheats.revert({ id })
    expect([await balanceOf(PAYEE), await client.getCode({ address: OTHER })]).toEqual([1n, undefined])
    await expect(client.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
    expect(await send(raw)).toBe(hash)
    expect(await balanceOf(PAYEE)).toBe(11n)
    expect((await client.getBlock()).hash).not.toBe(before)
  })

  it('and is reorganised has as many blocks, of the same times, with nothing in them', async () => {
    const { ask, client, send, signedMint, balanceOf } = await openTestChain()
    await send(await signedMint(0, PAYEE, 1n))
    const hash = await send(await signedMint(1, PAYEE, 10n))
    const last = await client.getBlock()
    await ask('anvil_reorg', 1, [])
    expect(await client.getBlock()).toMatchObject({ number: 2n, timestamp: last.timestamp, transactions: [] })
    expect((await client.getBlock()).hash).not.toBe(last.hash)
    expect((await client.getBlock()).parentHash).toBe(last.parentHash)
    expect(await ask('eth_getTransactionByHash', hash)).toBeNull()
    expect(await balanceOf(PAYEE)).toBe(1n)
    await expect(ask('anvil_reorg', 3, [])).rejects.toThrow('no 3 blocks')
  })
})
