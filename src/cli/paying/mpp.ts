import { Mppx, tempo } from 'mppx/client'
import { createClient, http, type Client as ViemClient } from 'viem'
import { getChainId } from 'viem/actions'
import { tempo as tempoChain, tempoModerato } from 'viem/chains'
import { mppPayer } from '../../client/mpp.ts'
import { type Payer, UnpaidError } from '../../client/payer.ts'
import { straight } from '../../wire/straight.ts'
import type { PayerOptions } from './options.ts'

export function payByMpp({ account, maxPrice, rpcUrl }: PayerOptions): Payer {
  const method = tempo.charge({ account, mode: 'pull', ...(rpcUrl !== undefined && { getClient: clientOn(rpcUrl) }) })
  const payer = mppPayer({ client: Mppx.create({ polyfill: false, methods: [method] }), maxPrice })
  return rpcUrl === undefined ? onPublicNodes(payer) : payer
}

/** Those that the kit knows a node of. */
const PUBLIC: readonly string[] = [tempoChain, tempoModerato].map(({ id }) => `tempo:${id}`)

/** Says before anybody agrees to pay which node is missing. */
const onPublicNodes = (payer: Payer): Payer => ({
  ...payer,
  quote: async (demand) => {
    const quote = await payer.quote(demand)
    if (PUBLIC.includes(quote.network)) return quote
    throw new UnpaidError(`no public node of ${quote.network} is known`, 'name one with --rpc-url')
  },
})

function clientOn(rpcUrl: string): (chain: { readonly chainId?: number | undefined }) => Promise<ViemClient> {
  // Its address may hold a key.
  const transport = http(rpcUrl, { fetchFn: (input, init) => straight(fetch, input, init) })
  return async ({ chainId }) => {
    const found = await getChainId(createClient({ transport }))
    if (chainId !== found)
      throw new UnpaidError(`the node is of tempo:${found}, not of tempo:${chainId}`, 'name a node of that network')
    return createClient({ chain: { ...tempoChain, id: found }, transport })
  }
}
