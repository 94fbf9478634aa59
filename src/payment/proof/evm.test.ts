import { encodeFunctionData, type Hex, http, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broadcast, signAuthorization } from '../../../sandbox/chain/authorization.ts'
import { account, type Base, startBase } from '../../../sandbox/chain/base.ts'
import { dollarAbi, dollarCode, multicallAbi } from '../../../sandbox/chain/contracts.ts'
import { openSmartWallets } from '../../../sandbox/chain/smart-wallets.ts'
import { onEachChain } from '../../../test/support/chains.ts'
import { createProofs, type ProofSettings } from './create-proofs.ts'
import type { Proof, ProofRequest } from './proof.ts'

const PRICE = 50_000n
const MINUTE_US = 60_000_000
/** Beyond what the tests' blocks move the chain's clock ahead. */
const HOUR_US = 60 * MINUTE_US
const MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'
const LOOK_ALIKE: Hex = '0x036cbd53842c5426634e7929541ec2318f3dcf70'

let base: Base
let settings: ProofSettings

const [FACILITATOR, BUYER, OTHER, OWNER, SELLER, STRANGER] = [0, 1, 2, 3, 5, 6]
const person = (index: number) => account(base.accounts, index)

const request = (transaction: string, over: Partial<ProofRequest> = {}): ProofRequest => ({
  network: 'base-sepolia',
  transaction,
  wallet: person(BUYER).address,
  payees: [{ network: 'base-sepolia', payee: person(SELLER).address }],
  prices: [{ network: 'base-sepolia', price: Number(PRICE), firstUs: 0, lastUs: Date.now() * 1000 }],
  submittedUs: Date.now() * 1000 + HOUR_US,
  ...over,
})
const find = (transaction: string, over: Partial<ProofRequest> = {}, how: Partial<ProofSettings> = {}) =>
  createProofs({ ...settings, ...how }).find(request(transaction, over))

const confirm = (blocks = 2): Promise<void> => base.testClient.mine({ blocks })
const reasonOf = (proof: Proof): string => `${proof.kind}: ${proof.kind === 'found' ? '' : proof.reason}`

const pay = async (value = PRICE, to = SELLER): Promise<Hex> => {
  const terms = { to: person(to).address, value }
  return broadcast(base, await signAuthorization(base, person(BUYER), terms), person(FACILITATOR))
}
async function transfer(value = PRICE, { asset = base.dollar, from = BUYER, gas = 200_000n } = {}): Promise<Hex> {
  const data = encodeFunctionData({ abi: dollarAbi, functionName: 'transfer', args: [person(SELLER).address, value] })
  const hash = await base.walletClient(person(from)).sendTransaction({ to: asset, data, gas })
  await base.publicClient.waitForTransactionReceipt({ hash })
  return hash
}

onEachChain((name) => {
  beforeAll(async () => {
    base = await startBase({ node: name })
    await base.testClient.setCode({ address: LOOK_ALIKE, bytecode: dollarCode.runtime })
    for (const index of [BUYER, OTHER]) await base.fund(person(index).address, 10_000_000n)
    settings = { rpcUrls: new Map([[base.network, base.rpcUrl]]), nowUs: () => Date.now() * 1000 }
  })
  afterAll(() => base?.stop())

  describe('a payment on an EVM chain', () => {
    it('supports its payer when a facilitator has sent it', async () => {
      const hash = await pay()
      await confirm()
      const block = await base.publicClient.getTransactionReceipt({ hash }).then(({ blockNumber }) => blockNumber)
      const { timestamp } = await base.publicClient.getBlock({ blockNumber: block })
      expect(await find(hash)).toEqual({
        kind: 'found',
        network: 'eip155:84532',
        transaction: hash,
        transfers: [
          {
            asset: base.dollar,
            amount: '50000',
            payer: person(BUYER).address,
            payee: person(SELLER).address,
            // After AuthorizationUsed.
            logIndex: 1,
            atUs: Number(timestamp) * 1_000_000,
            isFinal: false,
          },
        ],
      })
    })

    it('does not support the facilitator that sent it, nor anybody else', async () => {
      const hash = await pay()
      await confirm()
      for (const wallet of [FACILITATOR, OTHER, STRANGER]) {
        expect(reasonOf(await find(hash, { wallet: person(wallet).address }))).toMatch(/^none: .*another wallet/)
      }
    })

    it('counts as a plain transfer, of any amount from the price up', async () => {
      const hashes = [await transfer(), await transfer(PRICE * 3n)]
      await confirm()
      for (const hash of hashes) expect(await find(hash)).toMatchObject({ kind: 'found', transfers: [{ logIndex: 0 }] })
    })

    it('has one name, whatever the case it is written in', async () => {
      const hash = await pay()
      await confirm()
      expect(await find(`0x${hash.slice(2).toUpperCase()}`)).toMatchObject({ kind: 'found', transaction: hash })
      for (const other of [hash.slice(2), `0X${hash.slice(2)}`, `${hash}0`, hash.slice(0, -1), `${hash} `, '', '0x'])
        expect(reasonOf(await find(other))).toMatch(/^none: .*64 hexadecimal digits/)
    })

    it('counts from a smart wallet, which never sends a transaction itself', async () => {
      const wallets = await openSmartWallets(base)
      const wallet = await wallets.addressOf(person(OWNER).address)
      await wallets.deploy(person(OWNER).address)
      await base.fund(wallet, PRICE)
      const data = encodeFunctionData({
        abi: dollarAbi,
        functionName: 'transfer',
        args: [person(SELLER).address, PRICE],
      })
      const hash = await wallets.exec(person(OWNER), wallet, base.dollar, data)
      await confirm()
      expect(await find(hash, { wallet })).toMatchObject({ kind: 'found', transfers: [{ payer: wallet }] })
      expect((await find(hash, { wallet: person(OWNER).address })).kind).toBe('none')
    })

    it('does not count in a look-alike of the dollar', async () => {
      await base.walletClient(person(BUYER)).writeContract({
        address: LOOK_ALIKE,
        abi: dollarAbi,
        functionName: 'mint',
        args: [person(BUYER).address, PRICE],
      })
      const hash = await transfer(PRICE, { asset: LOOK_ALIKE })
      await confirm()
      expect(reasonOf(await find(hash))).toMatch(/^none: .*not known as a dollar/)
      const extraAssets = [{ network: base.network, asset: LOOK_ALIKE, decimals: 6 }]
      expect((await find(hash, {}, { extraAssets })).kind).toBe('found')
    })

    it('does not count below the price, to another recipient, or failed', async () => {
      const [small, elsewhere, failed] = [await pay(PRICE - 1n), await pay(PRICE, STRANGER), await transfer(10n ** 15n)]
      await confirm()
      expect(reasonOf(await find(small))).toMatch(/^none: .*smaller than the price at that time, 0\.050000/)
      expect(reasonOf(await find(elsewhere))).toMatch(/^none: .*pays nobody who was seen/)
      expect(reasonOf(await find(failed))).toMatch(/^none: .*failed/)
    })

    it('does not count to oneself', async () => {
      const hash = await transfer(0n, { from: SELLER })
      await confirm()
      expect(reasonOf(await find(hash, { wallet: person(SELLER).address }))).toMatch(/^none: .*oneself/)
    })

    it('does not count when it is younger than the review', async () => {
      const hash = await pay()
      await confirm()
      const submittedUs = (Date.now() - 600_000) * 1000
      expect(reasonOf(await find(hash, { submittedUs }))).toMatch(/^none: .*after the review/)
    })

    it('does not exist ten minutes after the review, and may still come before', async () => {
      const hash = keccak256('0x01')
      const submittedUs = (Date.now() - 1000) * 1000
      await base.advance(1)
      expect(reasonOf(await find(hash, { submittedUs }))).toMatch(/^unknown: .*not on eip155:84532 yet/)
      const nowUs = () => submittedUs + 10 * MINUTE_US
      expect(reasonOf(await find(hash, { submittedUs }, { nowUs }))).toMatch(/^none: .*no such transaction/)
    })

    it('is two where one transaction pays twice, each with its own place', async () => {
      const client = base.walletClient(person(BUYER))
      await client.writeContract({
        address: base.dollar,
        abi: dollarAbi,
        functionName: 'approve',
        args: [MULTICALL, 10_000_000n],
      })
      const calls = [PRICE, 1n, PRICE * 2n].map((value) => ({
        target: base.dollar,
        callData: encodeFunctionData({
          abi: dollarAbi,
          functionName: 'transferFrom',
          args: [person(BUYER).address, person(SELLER).address, value],
        }),
      }))
      const hash = await client.writeContract({
        address: MULTICALL,
        abi: multicallAbi,
        functionName: 'tryAggregate',
        args: [true, calls],
      })
      await confirm(3)
      const proof = await find(hash)
      expect(proof.kind === 'found' && proof.transfers.map(({ amount }) => amount)).toEqual(['50000', '100000'])
      expect(proof.kind === 'found' && new Set(proof.transfers.map(({ logIndex }) => logIndex)).size).toBe(2)
    })

    it('waits for confirmations, its own block being the first', async () => {
      const hash = await pay()
      const patient = { confirmations: { eip155: 3, tempo: 1 } }
      expect((await find(hash)).kind).toBe('found')
      expect(reasonOf(await find(hash, {}, patient))).toBe('unknown: waiting for confirmations: 1 of 3')
      await confirm(1)
      expect(reasonOf(await find(hash, {}, patient))).toBe('unknown: waiting for confirmations: 2 of 3')
      await confirm(1)
      expect((await find(hash, {}, patient)).kind).toBe('found')
    })

    it('is final once the chain says so', async () => {
      const hash = await pay()
      await confirm(2)
      expect(await find(hash)).toMatchObject({ kind: 'found', transfers: [{ isFinal: false }] })
      await confirm(70)
      expect(await find(hash)).toMatchObject({ kind: 'found', transfers: [{ isFinal: true }] })
    })

    it('is gone when the chain is reorganised without it', async () => {
      const hash = await pay()
      await confirm(2)
      expect((await find(hash)).kind).toBe('found')
      await http(base.rpcUrl)({}).request({ method: 'anvil_reorg', params: [4, []] })
      await confirm(2)
      const submittedUs = (Date.now() - 1000) * 1000
      expect(await find(hash, { submittedUs })).toMatchObject({ kind: 'unknown', isMissing: true })
      const nowUs = () => submittedUs + 11 * MINUTE_US
      expect(reasonOf(await find(hash, { submittedUs }, { nowUs }))).toMatch(/^none: .*no such transaction/)
    })
  })

  describe('a node', () => {
    it('that is behind does not decide that a transaction does not exist', async () => {
      const submittedUs = Date.now() * 1000 + 10 * HOUR_US
      const nowUs = () => submittedUs + 11 * MINUTE_US
      const proof = await find(keccak256('0x04'), { submittedUs }, { nowUs })
      expect(reasonOf(proof)).toBe('unknown: the node for eip155:84532 is behind')
    })

    it('that is down or not there leaves the payment undecided and is not named', async () => {
      const hash = keccak256('0x02')
      const rpcUrls = new Map([[base.network, 'http://127.0.0.1:1/secret-key']])
      expect(reasonOf(await find(hash, {}, { rpcUrls }))).toBe('unknown: the node for eip155:84532 does not answer')
      expect(reasonOf(await find(hash, {}, { rpcUrls: new Map() }))).toBe(
        'unknown: this directory has no node for eip155:84532',
      )
    })

    it('on another chain leaves the payment undecided', async () => {
      const hash = await pay()
      await confirm()
      const rpcUrls = new Map([['eip155:8453', base.rpcUrl]])
      expect(reasonOf(await find(hash, { network: 'base' }, { rpcUrls }))).toMatch(/^unknown: .*another chain/)
    })
  })

  describe('a network', () => {
    it.each([
      ['near:mainnet', /^none: payments on near:mainnet cannot be checked/],
      ['two words', /^none: that is not the name of a network/],
      ['solana', /^none: the wallet that signed cannot pay on solana:/],
      ['eip155:0', /^none: payments on eip155:0 cannot be checked/],
    ])('%s is decided without asking anybody', async (network, reason) => {
      expect(reasonOf(await find(keccak256('0x03'), { network }))).toMatch(reason)
    })
  })
})
