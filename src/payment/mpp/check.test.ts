import { Credential as Wire } from 'mppx'
import { type Hex, keccak256, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { prepareTransactionRequest, sendRawTransactionSync, signTransaction } from 'viem/actions'
import { Actions } from 'viem/tempo'
import { describe, expect, it } from 'vitest'
import { startTempo } from '../../../sandbox/chain/tempo.ts'
import { onEachChain } from '../../../test/support/chains.ts'
import { answerTo, ENOUGH, openMppRail, RECIPIENT, requestFor, stored } from '../../../test/support/mpp-paying.ts'

/** The memo of a transfer that answers a challenge, as far as it says so. */
const memoFor = (challengeId: string): Hex => `0x${'00'.repeat(25)}${keccak256(stringToHex(challengeId)).slice(2, 16)}`

onEachChain((name) => {
  describe('a transaction that pays the recipient for something else', () => {
    it.each([
      ['of a little to the recipient', { to: RECIPIENT, amount: 1n }],
      ['of the price to somebody else', { to: `0x${'22'.repeat(20)}`, amount: 50_000n }],
    ] as const)('pays for no post by a transfer %s beside it, with our memo', async (_, beside) => {
      const chain = await startTempo({ node: name })
      try {
        const rail = openMppRail({ currency: chain.currency, rpcUrl: chain.url })
        const account = privateKeyToAccount(generatePrivateKey())
        await chain.fund(account.address, ENOUGH)
        const ours = Wire.deserialize(await answerTo(await rail.demand(requestFor()), account, chain))
        const transfers = [
          { to: RECIPIENT, amount: 50_000n, memo: memoFor('of something else that is sold') },
          { ...beside, memo: memoFor(ours.challenge.id) },
        ] as const
        const calls = transfers.map((transfer) =>
          Actions.token.transfer.call(chain.client, { ...transfer, token: chain.currency }),
        )
        const validBefore = Math.floor(Date.now() / 1000) + 25
        const prepared = await prepareTransactionRequest(chain.client, {
          ...{ account, calls, nonceKey: 'expiring', validBefore, gas: 5_000_000n },
        })
        const signature = await signTransaction(chain.client, prepared)
        const { status } = await sendRawTransactionSync(chain.client, { serializedTransaction: signature })
        expect(status).toBe('success')

        const request = requestFor(undefined, Wire.serialize({ ...ours, payload: { type: 'transaction', signature } }))
        const read = await rail.read(request)
        if (!read) throw new Error('no credential was read')
        expect(await rail.check(read, request)).toMatchObject({ ok: false, isFinal: true })
        expect((await rail.look(stored(read, request))).kind).toBe('unknown')
      } finally {
        await chain.stop()
      }
    })
  })
})
