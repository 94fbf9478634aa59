import { networkKey } from '../../domain/network.ts'
import { isBlank } from './amount.ts'
import { type Fields, fieldOf, fieldsOf } from './json.ts'
import type { Warn } from './warnings.ts'

/** What the kits of x402 pay. The amount of `exact` is what is paid, that of the others the most that one call may take. */
const SCHEMES: readonly unknown[] = ['exact', 'upto', 'batch-settlement', 'auth-capture']

const CAIP_2 = /^[-a-z0-9]{3,8}:[^\s]+$/
const NAME = /^[-a-z0-9]+$/

/** Clients look up who pays on a network by this very text. */
export function checkSpelling(written: unknown, version: 1 | 2, warn: Warn): void {
  if (typeof written === 'string' && (version === 2 ? CAIP_2 : NAME).test(written)) return
  warn('network_spelling')
}

/** What `extra` must hold, by scheme and kind of network: of a dollar its name and version are signed, or somebody else has a part in it. */
const EXTRA = new Map([
  ['exact eip155', ['name', 'version']],
  ['exact solana', ['feePayer']],
  ['upto eip155', ['facilitatorAddress']],
  ['batch-settlement eip155', ['receiverAuthorizer']],
])

function isSignable(fields: Fields, network: string): boolean {
  const extra = fieldsOf(fieldOf(fields, 'extra'))
  const scheme = fieldOf(fields, 'scheme')
  // There a contract of its own moves the money, not the dollar.
  if (scheme === 'exact' && fieldOf(extra, 'assetTransferMethod') === 'permit2') return true
  const [kind] = networkKey(network).split(':')
  return (EXTRA.get(`${scheme} ${kind}`) ?? []).every((name) => !isBlank(fieldOf(extra, name)))
}

/** What a client signs besides network, amount, asset and payee. Whether the kits have the offer's scheme. */
export function checkScheme(fields: Fields, network: string | null, warn: Warn): boolean {
  const scheme = fieldOf(fields, 'scheme')
  const seconds = fieldOf(fields, 'maxTimeoutSeconds')
  const isPaid = SCHEMES.includes(scheme)
  if (isBlank(scheme)) warn('missing_field')
  else if (!isPaid) warn('unknown_scheme')
  if (isPaid && isBlank(seconds)) warn('missing_field')
  // Clients add it to the time: behind that, a text makes an hour hundreds of years.
  else if (isPaid && !(Number.isSafeInteger(seconds) && Number(seconds) >= 0)) warn('malformed')
  if (network !== null && !isSignable(fields, network)) warn('missing_field')
  return isPaid
}
