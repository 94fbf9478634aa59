import { describe, expect, it } from 'vitest'
import { anvilBinary } from './anvil.ts'
import type { NodeName } from './start-chain.ts'
import { playOnBase } from './testing/base-script.ts'
import { playOnTempo } from './testing/tempo-script.ts'

/** Anvil's, or where it is not, our own once more: then the script is held to say the same every time. */
const SECOND: NodeName = anvilBinary() === null ? 'javascript' : 'anvil'
const LONG_MS = 120_000

describe(`the chain in JavaScript, and ${SECOND} for a second opinion`, () => {
  it(
    'agree on what comes of the same transactions on Base',
    async () => {
      const ours = await playOnBase('javascript')
      expect(ours).toMatchObject({
        transactions: {
          mint: { status: 'success' },
          'a transfer of too much': { status: 'reverted', logs: [] },
          'an authorisation again': { status: 'reverted', logs: [] },
        },
        refusals: { call: { code: 3 }, estimate: { code: 3 } },
        gap: [{ status: 'success' }, { status: 'success' }],
        back: { before: 10n, after: 1_010n, reverted: 10n, minted: 10_010n, reorganised: 10n, isGone: true },
        balances: { dollars: [14n, 10n, 82n], ether: 10n ** 18n },
      })
      expect(await playOnBase(SECOND)).toEqual(ours)
    },
    LONG_MS,
  )

  it(
    'agree on what comes of the same payments on Tempo',
    async () => {
      const ours = await playOnTempo('javascript')
      expect(ours).toMatchObject({
        plain: { status: 'success', logs: [{ data: `0x${'b'.padStart(64, '0')}` }] },
        'one of two too much': { status: 'reverted', logs: [] },
        expired: 'never ran',
        balances: [13n, 8n],
      })
      expect(await playOnTempo(SECOND)).toEqual(ours)
    },
    LONG_MS,
  )
})
