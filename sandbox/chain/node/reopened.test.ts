import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { dollarAbi } from '../contracts.ts'
import { developmentAccount } from '../development-accounts.ts'
import { DOLLAR, everything, openTestChain, type TestChain } from '../testing/test-chain.ts'

const PAYEE = '0x1111111111111111111111111111111111111111'
const OTHER = '0x2222222222222222222222222222222222222222'
/** `CHAIN_STORIES=200` for the long one. */
const STORIES = Number(process.env.CHAIN_STORIES ?? 8)

/** A chain in the middle of its story. */
interface Scene {
  readonly chain: TestChain
  /** Of the minter, when nothing waits. */
  readonly nonce: number
  /** Grows, so that no two transactions are the same. */
  readonly amount: bigint
  readonly hashes: Hex[]
  readonly snapshots: Hex[]
}

const transfer = { address: DOLLAR, abi: dollarAbi, functionName: 'transfer', args: [OTHER, 1n] } as const
const mintOf = (amount: bigint) =>
  ({ address: DOLLAR, abi: dollarAbi, functionName: 'mint', args: [PAYEE, amount] }) as const

/** What can happen to a chain. Some of it cannot at times, and then nothing does. */
const DOINGS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  mint: async ({ chain, nonce, amount, hashes }) =>
    hashes.push(await chain.send(await chain.signedMint(nonce, PAYEE, amount))),
  'try to mint': ({ chain, amount }) => chain.client.simulateContract(mintOf(amount)),
  fail: async ({ chain, hashes }) =>
    hashes.push(await chain.wallet(developmentAccount(1)).writeContract({ ...transfer, gas: 100_000n })),
  'be refused': ({ chain }) => chain.send('0x02c0'),
  wait: async ({ chain, nonce, amount, hashes }) =>
    hashes.push(await chain.send(await chain.signedMint(nonce + 1, OTHER, amount))),
  mine: ({ chain }) => chain.cheats.mine({ blocks: 2 }),
  plant: ({ chain, amount }) => chain.cheats.setCode({ address: OTHER, bytecode: `0x60${amount + 10n}` }),
  'take a snapshot': async ({ chain, snapshots }) => snapshots.push(await chain.cheats.snapshot()),
  'go back to it': ({ chain, snapshots }) => chain.cheats.revert({ id: snapshots.pop() ?? '0x63' }),
  reorganise: ({ chain }) => chain.ask('anvil_reorg', 1, []),
}

test('A chain that is opened again is the chain that it was, after anything in any order.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-chain-'))
  const stateFile = join(folder, 'base.chain.ndjson')
  const doings = fc.array(fc.constantFrom(...Object.keys(DOINGS)), { minLength: 5, maxLength: 25 })
  const story = async (names: readonly string[]): Promise<void> => {
    rmSync(stateFile, { force: true })
    const chain = await openTestChain({ stateFile })
    const [hashes, snapshots]: [Hex[], Hex[]] = [[], []]
    let amount = 0n
    for (const name of names) {
      amount += 1n
      const nonce = await chain.client.getTransactionCount({ address: developmentAccount(9).address })
      await DOINGS[name]?.({ chain, nonce, amount, hashes, snapshots }).catch(() => undefined)
    }
    const before = await everything(chain, hashes, [PAYEE, OTHER])
    await chain.close()
    const again = await openTestChain({ stateFile })
    expect(await everything(again, hashes, [PAYEE, OTHER])).toEqual(before)
    await again.close()
  }
  await fc.assert(fc.asyncProperty(doings, story), { numRuns: STORIES })
  rmSync(folder, { recursive: true, force: true })
}, 1_800_000)
