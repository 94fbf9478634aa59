import { randomBytes } from 'node:crypto'
import { type Address, type Hex, type LocalAccount, toHex } from 'viem'
import { account, type Base } from './base.ts'
import { dollarAbi } from './contracts.ts'

/** An EIP-3009 authorisation as x402 carries it: numbers as decimal strings, times in seconds. */
export interface Authorization {
  readonly from: Address
  readonly to: Address
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: Hex
}

export interface SignedAuthorization {
  readonly authorization: Authorization
  readonly signature: Hex
}

export interface AuthorizationTerms {
  readonly to: Address
  readonly value: bigint
  /** The payer, where it is not the signer: a wallet with code. */
  readonly from?: Address
  readonly validAfterS?: number
  readonly validBeforeS?: number
  readonly nonce?: Hex
}

const VALID_S = 300

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

/** Signs a transfer of the local chain's dollar without sending it. */
export async function signAuthorization(
  base: Base,
  signer: LocalAccount,
  terms: AuthorizationTerms,
): Promise<SignedAuthorization> {
  const nowS = Math.floor(Date.now() / 1000)
  const { from = signer.address, validAfterS = nowS - 600, validBeforeS = nowS + VALID_S } = terms
  const nonce = terms.nonce ?? toHex(randomBytes(32))
  const message = {
    from,
    to: terms.to,
    value: terms.value,
    validAfter: BigInt(validAfterS),
    validBefore: BigInt(validBeforeS),
    nonce,
  }
  const signature = await signer.signTypedData({
    domain: {
      name: base.name,
      version: base.version,
      chainId: base.publicClient.chain.id,
      verifyingContract: base.dollar,
    },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const written = { value: String(terms.value), validAfter: String(validAfterS), validBefore: String(validBeforeS) }
  return { authorization: { from, to: terms.to, ...written, nonce }, signature }
}

/** Sends a signed transfer, as anybody can who has seen it; its transaction, mined. */
export async function broadcast(
  base: Base,
  { authorization, signature }: SignedAuthorization,
  sender: LocalAccount = account(base.accounts, 0),
): Promise<Hex> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const hash = await base.walletClient(sender).writeContract({
    address: base.dollar,
    abi: dollarAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
  })
  await base.publicClient.waitForTransactionReceipt({ hash })
  return hash
}
