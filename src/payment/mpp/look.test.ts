import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { startTempo } from '../../../sandbox/chain/tempo.ts'
import { onEachChain } from '../../../test/support/chains.ts'
import { answerTo, ENOUGH, openMppRail, RECIPIENT, requestFor, stored } from '../../../test/support/mpp-paying.ts'

onEachChain((name) => {
  describe('a payment that was never sent', () => {
    it('has expired only once its last moment is past in a final block and by our own clock', async () => {
      const other = await startTempo({ node: name })
      try {
        const far = openMppRail({ currency: other.currency, rpcUrl: other.url })
        const account = privateKeyToAccount(generatePrivateKey())
        await other.fund(account.address, ENOUGH)
        const request = requestFor(undefined, await answerTo(await far.demand(requestFor()), account, other))
        const credential = await far.read(request)
        if (!credential) throw new Error('no credential was read')
        const payment = stored(credential, request)
        expect((await far.look(payment)).kind).toBe('unknown')
        await other.client.request<{ Method: 'evm_increaseTime'; Parameters: [number]; ReturnType: unknown }>({
          method: 'evm_increaseTime',
          params: [120],
        })
        const mine = (blocks: Hex) =>
          other.client.request<{ Method: 'anvil_mine'; Parameters: [Hex]; ReturnType: unknown }>({
            method: 'anvil_mine',
            params: [blocks],
          })
        const later = openMppRail({
          currency: other.currency,
          rpcUrl: other.url,
          nowUs: () => (Date.now() + 120_000) * 1000,
        })
        await mine('0x1')
        expect((await later.look(payment)).kind, 'not final').toBe('unknown')
        await mine('0x50')
        expect((await far.look(payment)).kind, 'by the chain alone').toBe('unknown')
        expect(await later.look(payment)).toMatchObject({ kind: 'expired', isUnsure: true })
        expect((await later.look({ ...payment, network: 'tempo:4217' })).kind, 'another network says nothing').toBe(
          'unknown',
        )
        expect((await far.watch?.(payment, payment.key))?.kind, 'by the chain alone').toBe('unknown')
        expect((await later.watch?.(payment, payment.key))?.kind).toBe('expired')
        expect(await other.balanceOf(RECIPIENT)).toBe(0n)
      } finally {
        await other.stop()
      }
    })
  })
})
