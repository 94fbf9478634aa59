import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import type { Payer } from '../../client/payer.ts'
import { x402Payer } from '../../client/x402.ts'
import type { PayerOptions } from './options.ts'

export function payByX402({ account, maxPrice }: PayerOptions): Payer {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
  // The limit is the payer's own; the one of the library is a dollar for tokens that it knows.
  client.setSpendControls(false)
  return x402Payer({ client: new x402HTTPClient(client), maxPrice })
}
