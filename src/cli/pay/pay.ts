import type { LocalAccount } from 'viem'
import { decimalsOf } from '../../domain/asset.ts'
import { formatPrice, type MicroDollars, priceFromBaseUnits } from '../../domain/price.ts'
import { Problem } from '../../domain/problem.ts'

/** What a 402 answer asks of the payer, in an amount that is known to be dollars. */
export interface Price {
  /** CAIP-2 form. */
  readonly network: string
  readonly asset: string
  readonly payee: string
  readonly dollars: MicroDollars
}

/** A price that is not above the limit. Nothing has been signed yet. */
export interface Asked {
  readonly price: Price
  /** Signs the payment: the headers that pay, when sent with the very same request. */
  sign(): Promise<Readonly<Record<string, string>>>
}

export interface Payer {
  readonly account: LocalAccount
  /** A node of the network that is paid on; only mpp needs one. The public one of Tempo unless given. */
  readonly rpcUrl?: string | undefined
  /** The most to sign for; the network's own fee comes on top where the payer bears it. */
  readonly maxCost: MicroDollars
}

export interface PayRequest extends Payer {
  readonly url: string
  /** JSON. */
  readonly body: string
  readonly fetch: typeof globalThis.fetch
}

export interface Paid {
  readonly status: number
  /** The JSON of the answer; `null` when it has none. */
  readonly document: unknown
  /** The transaction that the answer names as paid. */
  readonly receipt: { readonly transaction: string } | null
}

/** Reads a 402 answer. Rejects with a `Problem` for a price above the limit, and for money that is no known dollar. */
export type Ask = (headers: Headers, payer: Payer) => Promise<Asked>

/** One request, paid for when it asks for it: the price is checked before anything is signed. */
export async function pay(
  ask: Ask,
  receiptIn: (headers: Headers) => Paid['receipt'],
  request: PayRequest,
): Promise<Paid> {
  const send = (paying: Readonly<Record<string, string>>): Promise<Response> =>
    request.fetch(request.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...paying },
      body: request.body,
      // A signed payment goes to whoever named the price, and to nobody they point at.
      redirect: 'error',
    })
  let answer = await send({})
  if (answer.status === 402) {
    await answer.body?.cancel()
    const asked = await ask(answer.headers, request)
    answer = await send(await asked.sign())
  }
  const text = await answer.text()
  return { status: answer.status, document: documentIn(text), receipt: receiptIn(answer.headers) }
}

function documentIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The price of an amount in base units, if it is a dollar that is known and not above the limit. */
export function priceWithin(
  asked: { readonly network: string; readonly asset: string; readonly payee: string; readonly amount: string },
  maxCost: MicroDollars,
): Price {
  const { network, asset, payee, amount } = asked
  const decimals = decimalsOf(network, asset)
  const dollars = decimals === undefined ? undefined : priceFromBaseUnits(BigInt(amount), decimals)
  if (dollars === undefined)
    throw unpaid(`it asks for ${amount} of ${asset} on ${network}, which is not a known dollar`, 'nothing was signed')
  if (dollars > maxCost)
    throw unpaid(
      `it costs ${formatPrice(dollars)} dollars, more than the limit of ${formatPrice(maxCost)}`,
      'nothing was signed; raise --max-cost to pay it',
    )
  return { network, asset, payee, dollars }
}

/** Why nothing is paid. */
export const unpaid = (detail: string, hint: string): Problem => new Problem('unpaid', 402, 'Not paid', detail, hint)

export const unreadable = (): Problem =>
  unpaid('the 402 answer asks for no payment that can be made here', 'nothing was signed')
