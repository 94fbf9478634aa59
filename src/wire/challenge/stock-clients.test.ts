import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { Challenge } from 'mppx'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import {
  ADDRESS,
  asked,
  base64,
  inHeader,
  payment,
  REQUEST,
  read,
  SELLER,
  V1,
  V2,
  version1,
  version2,
} from './testing/samples.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SOLANA_SELLER = 'Bo4pBpFK9q897sH49ygiQz5HYywUfVpJMqP3vjwiJnv6'

/** Whatever a seller may write in place of a field. */
const WRITTEN: readonly unknown[] = [
  ...[undefined, null, '', 7, '7', '-5', '1.5', '0x10', 'word', {}, ['a'], true],
  ...['exact', 'EXACT', 'deferred', 'Base', ' base ', 'EIP155:8453', ' eip155:8453 ', 'eip155:8453', 'base'],
]

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const client = new x402HTTPClient(
  new x402Client().register('eip155:*', new ExactEvmScheme(account)).registerV1('base', new ExactEvmSchemeV1(account)),
)

/** What a stock client of x402 would sign for; `undefined` where it refuses. */
async function signed(headers: Headers, body: unknown): Promise<Record<'value' | 'to', string> | undefined> {
  try {
    const required = client.getPaymentRequiredResponse((name) => headers.get(name) ?? undefined, body)
    const { payload } = await client.createPaymentPayload(required)
    return payload.authorization as Record<'value' | 'to', string>
  } catch {
    return undefined
  }
}

async function checkX402(headers: [string, string][], body: object): Promise<void> {
  const ours = read({ headers, body, url: ADDRESS })
  const pays = await signed(new Headers(headers), body)
  const seen = JSON.stringify([headers.map(([, value]) => Buffer.from(value, 'base64').toString()), body])
  if (pays === undefined) expect(ours?.warnings, seen).not.toEqual([])
  else expect([ours?.offers[0]?.price, ours?.offers[0]?.payee], seen).toEqual([Number(pays.value), pays.to])
}

const withField = (item: Record<string, unknown>, name: string, value: unknown) => ({ ...item, [name]: value })

describe('what a stock client makes of an answer', () => {
  it.each(Object.keys(V2))('of x402 version 2 whose %s is odd is what is read, or there is a warning', async (name) => {
    for (const value of WRITTEN)
      await checkX402([['PAYMENT-REQUIRED', base64(version2(withField(V2, name, value)))]], {})
  })

  it.each(Object.keys(V1))('of x402 version 1 whose %s is odd is what is read, or there is a warning', async (name) => {
    for (const value of WRITTEN) await checkX402([], version1(withField(V1, name, value)))
  })

  it('of a dollar without the name or version that is signed is told', async () => {
    for (const name of Object.keys(V2.extra))
      for (const value of [undefined, null, '']) {
        const extra = withField(V2.extra, name, value)
        await checkX402([['PAYMENT-REQUIRED', base64(version2({ ...V2, extra }))]], {})
        await checkX402([], version1({ ...V1, extra }))
      }
  })

  it('needs of Solana, of a cap and of a channel is told where it is missing', () => {
    const solana = { ...V2, network: SOLANA, asset: SOLANA_USDC, payTo: SOLANA_SELLER }
    const needs: readonly [object, string][] = [
      [solana, 'feePayer'],
      [{ ...V2, scheme: 'upto' }, 'facilitatorAddress'],
      [{ ...V2, scheme: 'batch-settlement' }, 'receiverAuthorizer'],
    ]
    for (const [item, name] of needs)
      for (const value of [undefined, null, '', SELLER])
        expect(inHeader(version2({ ...item, extra: { ...V2.extra, [name]: value } }))?.warnings).toEqual(
          value === SELLER ? [] : ['missing_field'],
        )
  })

  it('of a header that came twice, or cannot be read beside a body, is told', async () => {
    const header = ['PAYMENT-REQUIRED', base64(version2(V2))] as [string, string]
    await checkX402([header], version1(V1))
    await checkX402([header, header], {})
    await checkX402([header, header], version1(V1))
    await checkX402([['PAYMENT-REQUIRED', '%%%']], version1(V1))
    expect(read({ headers: [header, header] })?.warnings).toEqual(['header_twice'])
  })

  it('pays is what is read where schemes that it does not know are offered beside it, and cheaper', async () => {
    const odd = ['deferred', 'EXACT', '', undefined].map((scheme) => ({ ...V2, scheme, amount: '1' }))
    for (const one of odd) {
      const accepts = version2(one, V2)
      const pays = await signed(new Headers([['PAYMENT-REQUIRED', base64(accepts)]]), {})
      const ours = read({ headers: [['PAYMENT-REQUIRED', base64(accepts)]] })
      expect(ours?.offers.map(({ price }) => price)).toEqual([null, Number(pays?.value)])
      expect(ours?.warnings).not.toEqual([])
      // Where nothing else is offered there, it is still what the seller asks for.
      expect(read({ headers: [['PAYMENT-REQUIRED', base64(version2(one))]] })?.offers[0]?.price).toBe(1)
    }
  })

  it.each(['id', 'realm', 'method', 'intent', 'request', 'expires'])(
    'of mpp whose %s is odd is what is read, or there is a warning',
    (name) => {
      const odd = ['', 'Tempo', 'tempo', 'charge', 'Charge', 'session', 'subscription', 'authorize', '{}', 'e30', '0']
      const times = ['2026-11-14', '2026-11-14T00:05:00Z', '2026-11-14T00:05:00+01:00', 'Sat, 14 Nov 2026 00:05:00 GMT']
      for (const value of [...odd, ...times]) {
        const line = payment(REQUEST, { [name]: value })
        const ours = asked(line)
        const theirs = challengeOf(line)
        if (theirs === undefined) expect(ours?.warnings, line).not.toEqual([])
        else if (theirs.method === 'tempo' && theirs.intent === 'charge' && theirs.request.amount !== undefined)
          expect(ours?.offers[0]?.price, line).toBe(Number(theirs.request.amount))
      }
    },
  )
})

function challengeOf(line: string): Challenge.Challenge | undefined {
  try {
    return Challenge.deserialize(line)
  } catch {
    return undefined
  }
}
