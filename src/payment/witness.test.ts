import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, type Base, startBase } from '../../sandbox/chain/base.ts'
import { dollarAbi } from '../../sandbox/chain/contracts.ts'
import { openSmartWallets, type SmartWallets } from '../../sandbox/chain/smart-wallets.ts'
import { onEachChain } from '../../test/support/chains.ts'
import type { DocumentedPayment } from '../wire/check-writing.ts'
import { createWitness } from './witness.ts'

const PRICE = 50_000n
const MESSAGE = 'review\nGET https://api.seller.example/v1'
/** Nothing listens there. */
const DOWN = 'http://127.0.0.1:9'

onEachChain((node) => {
  let base: Base
  let wallets: SmartWallets
  beforeAll(async () => {
    base = await startBase({ node })
    wallets = await openSmartWallets(base)
  })
  afterAll(() => base?.stop())

  describe('a node that is asked about a stranger’s document', () => {
    it('tells whether the chain holds the transfer, at its place in the transaction', async () => {
      const [payer, payee] = [account(base.accounts, 1), account(base.accounts, 2).address]
      await base.fund(payer.address, PRICE)
      const transaction = await base.walletClient(payer).writeContract({
        ...{ address: base.dollar, abi: dollarAbi, functionName: 'transfer', args: [payee, PRICE] },
      })
      const { logs } = await base.publicClient.waitForTransactionReceipt({ hash: transaction })
      const { paid } = createWitness(base.rpcUrl)
      const payment: DocumentedPayment = {
        ...{ network: base.network, transaction, payer: payer.address, payee },
        ...{ asset: base.dollar, amount: String(PRICE), logIndex: logs[0]?.logIndex ?? -1 },
      }
      expect(await paid(payment)).toBe('yes')
      expect(await paid({ ...payment, logIndex: null })).toBe('yes')
      const others: Partial<DocumentedPayment>[] = [
        { logIndex: (payment.logIndex ?? 0) + 1 },
        { amount: String(PRICE + 1n) },
        { payee: payer.address },
        { payer: payee },
        { asset: payee },
        { transaction: `0x${'12'.repeat(32)}` },
      ]
      for (const other of others) expect([other, await paid({ ...payment, ...other })]).toEqual([other, 'no'])
      expect(await paid({ ...payment, network: 'eip155:1' })).toBe('unknown')
      expect(await createWitness(DOWN).paid(payment)).toBe('unknown')
    })

    it('tells whether a smart wallet signed', async () => {
      const owner = account(base.accounts, 3)
      await wallets.deploy(owner.address)
      const writing = {
        wallet: await wallets.addressOf(owner.address),
        message: MESSAGE,
        signature: await owner.signMessage({ message: MESSAGE }),
      }
      expect(await createWitness(base.rpcUrl).signed(writing)).toBe('yes')
      expect(await createWitness(base.rpcUrl).signed({ ...writing, message: 'another' })).toBe('no')
      expect(await createWitness(DOWN).signed(writing)).toBe('unknown')
    })
  })
})
