import type { RouteView } from '../../views/host/host-view.ts'
import { shellWord } from './shell-word.ts'

export const CALL_NOTE =
  'Without a payment it answers HTTP 402 with what it asks for; an x402 or mpp client of yours pays that and sends the same again.'

/** The request that a probe sends, for a shell. */
export const callExample = ({ method, address }: Pick<RouteView, 'method' | 'address'>): string =>
  `curl -i ${method === 'GET' ? '' : `-X ${method} `}${shellWord(address)}`
