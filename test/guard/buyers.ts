import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { Mppx, tempo } from 'mppx/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Guard } from '../../src/client/guard/index.ts'
import type { Rail } from '../../src/domain/route.ts'
import type { GuardWorld } from './world.ts'

/** The x402 client as its kit makes it, for both versions. It would pay in any token that its owner lets it. */
export const x402Buyer = (account: PrivateKeyAccount): x402Client =>
  new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    .registerV1('base-sepolia', new ExactEvmSchemeV1(account))
    .setSpendControls({ allowedAssets: true })

export function mppBuyer(world: GuardWorld, account: PrivateKeyAccount, guard?: Guard) {
  const create = guard === undefined ? Mppx.create : guard.mppx(Mppx.create)
  const method = tempo.charge({ account, mode: 'pull', getClient: () => world.tempo.client })
  return create({ polyfill: false, fetch: world.fetch, methods: [method] })
}

/** The same stock program with and without a guard. */
export function buying(
  world: GuardWorld,
  rail: Rail,
  account: PrivateKeyAccount,
  guard?: Guard,
): (url: string) => Promise<Response> {
  if (rail === 'mpp') {
    const client = mppBuyer(world, account, guard)
    return (url) => client.fetch(url, { method: methodAt(url) })
  }
  const transport = new x402HTTPClient(x402Buyer(account))
  const fetch = guard === undefined ? world.fetch : guard.fetch(world.fetch)
  return wrapFetchWithPayment(fetch, guard === undefined ? transport : guard.x402(transport))
}

/** Sample sellers sell through mpp by POST, but for a search. */
const methodAt = (url: string): 'GET' | 'POST' => (url.endsWith('/search') ? 'GET' : 'POST')
