import { PaymentRequest } from 'mppx'
import { decodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import { Abis } from 'viem/tempo'
import { walletKey } from '../../domain/wallet.ts'
import type { Unfit } from '../rail.ts'
import { boundTo, type Charge } from './charge.ts'
import type { Pull } from './credential.ts'
import type { Held } from './held.ts'
import { unfit } from './problem-types.ts'

/**
 * Why a credential was not made for this host and body; `undefined` when it was. Asks nobody, and holds for ever: also
 * after the credential has expired or was spent, and after the operator has changed key or recipient. Whether this
 * directory made the challenge is for `check` to find.
 */
export async function unboundOf(
  { credential, challenge, transaction }: Pull,
  charge: Charge,
  made: Pick<Held, 'host' | 'body'>,
): Promise<Unfit | undefined> {
  const { request, ...bound } = boundTo(made.host, made.body)
  const { meta = {}, opaque = PaymentRequest.serialize(meta) } = await charge.challenge.tempo.charge({
    ...request,
    ...bound,
  })
  if (credential.challenge.opaque !== opaque) return unfit('invalid-challenge')
  const nonce = nonceOf(credential.challenge.id)
  const isAnswer = transaction.calls.some(
    ({ to, data }) => walletKey(to) === walletKey(challenge.currency) && memoIn(data)?.endsWith(nonce),
  )
  return isAnswer ? undefined : unfit('verification-failed', 'The transaction was made for another challenge.')
}

/** The last 7 bytes of the memo of a transfer that answers a challenge, as hex digits. */
const nonceOf = (challengeId: string): string => keccak256(stringToHex(challengeId)).slice(2, 16)

function memoIn(data: Hex): string | undefined {
  try {
    const call = decodeFunctionData({ abi: Abis.tip20, data })
    return call.functionName === 'transferWithMemo' ? call.args[2].toLowerCase() : undefined
  } catch {
    return undefined
  }
}
