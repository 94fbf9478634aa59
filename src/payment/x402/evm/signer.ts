import { getAddress, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import type { EvmNode } from '../../nodes.ts'
import { accepts } from '../../smart-wallets.ts'
import type { Offer } from '../offer.ts'
import { evmPayload } from './payload.ts'

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/**
 * Whether an authorisation, every word of it, was signed by the payer that it names: by its key or, of a smart wallet, as
 * the wallet itself says. Rejects when the node does not answer.
 */
export async function isSignedOnEvm(node: EvmNode, payload: unknown, { asset, extra }: Offer): Promise<boolean> {
  const { signature, authorization } = evmPayload.parse(payload)
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const { name = '', version = '' } = extra
  const hash = hashTypedData({
    domain: { name, version, chainId: node.chainId, verifyingContract: getAddress(asset) },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...{ from, to, nonce, value: BigInt(value) },
      ...{ validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
    },
  })
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
  if (signer !== undefined && isAddressEqual(signer, from)) return true
  const answer = await accepts(node, from, hash, signature)
  if (answer === 'unknown') throw new Error('the node does not answer')
  return answer === 'yes'
}
