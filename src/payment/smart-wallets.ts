import {
  type Address,
  BaseError,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  getAddress,
  type Hex,
  hashMessage,
  hexToBool,
  isHex,
} from 'viem'
import { problem } from '../domain/problem-kinds.ts'
import { isErc6492 } from '../wire/signature.ts'
import type { OnCall } from './call-outcome.ts'
import { createNodes, type EvmNode, networkKind } from './nodes.ts'
import { notSigned } from './not-signed.ts'

export interface WalletNodes {
  /** Node addresses by CAIP-2 network; smart wallets are asked on each EVM one. */
  readonly rpcUrls: ReadonlyMap<string, string>
  readonly onCall?: OnCall | undefined
}

/** Resolves when the wallet signed the message; rejects with a `Problem` when not. */
type AskSmartWallet = (wallet: string, message: string, signature: string) => Promise<void>

const RETRY_SECONDS = 30

/** Asks the wallet itself whether it signed, on every chain that there is a node of: it has to say so wherever it is deployed. */
export function createSmartWallets({ rpcUrls, onCall }: WalletNodes): AskSmartWallet {
  const nodes = createNodes(rpcUrls, undefined, onCall)
  const evm = [...rpcUrls.keys()]
    .filter((network) => ['eip155', 'tempo'].includes(networkKind(network) ?? ''))
    .flatMap((network) => nodes.evm(network) ?? [])
  return async (wallet, message, signature) => {
    if (!isHex(signature)) throw notSigned(wallet)
    return askWallet(evm, getAddress(wallet), message, signature)
  }
}

async function askWallet(nodes: readonly EvmNode[], wallet: Address, message: string, signature: Hex): Promise<void> {
  if (nodes.length === 0) {
    throw problem('invalid-signature', `No key of ${wallet} made the signature over these lines.`, {
      hint: 'Sign the exact lines with the key of an ordinary wallet: this directory has no node to check smart wallets with.',
    })
  }
  const words = await Promise.all(nodes.map((node) => wordOf(node, wallet, hashMessage(message), signature)))
  const there = words.filter(({ isDeployed }) => isDeployed !== false)
  // Each network has keys of its own for one address: whoever may deploy it on another, with keys that it had once, is not it.
  if (there.some(({ says, isDeployed }) => says === 'no' && isDeployed))
    throw words.some(({ says }) => says === 'yes') ? notEverywhere(wallet) : notSigned(wallet)
  if (there.some(({ says }) => says === 'unknown')) throw unchecked()
  if (there.length > 0) return
  // Deployed nowhere: what its factory would deploy says it, with the keys that it begins with.
  if (words.some(({ says }) => says === 'yes')) return
  throw words.some(({ says }) => says === 'unknown') ? unchecked() : notSigned(wallet)
}

const notEverywhere = (wallet: Address) =>
  problem('invalid-signature', `${wallet} says that it signed these lines on one network, and not on another.`, {
    hint: 'Give the smart wallet the same owners wherever it is deployed, and sign again.',
  })

const unchecked = () =>
  problem(
    'signature-unchecked',
    'The signature may be one of a smart wallet, and a node that could tell does not answer.',
    { headers: { 'Retry-After': String(RETRY_SECONDS) } },
  )

type WalletAnswer = 'yes' | 'no' | 'unknown'

/** What a wallet says on one chain. */
interface Word {
  readonly says: WalletAnswer
  /** Its code is there, and not only what a factory would deploy; `undefined` when the node does not say. */
  readonly isDeployed: boolean | undefined
}

/** What the wallet's code says on one chain: ERC-6492 when the signature is wrapped, ERC-1271 otherwise. */
export const accepts = async (node: EvmNode, wallet: Address, hash: Hex, signature: Hex): Promise<WalletAnswer> =>
  (await wordOf(node, wallet, hash, signature)).says

async function wordOf({ client }: EvmNode, wallet: Address, hash: Hex, signature: Hex): Promise<Word> {
  let isDeployed: boolean | undefined
  try {
    isDeployed = (await client.getCode({ address: wallet })) !== undefined
    // Without code only a wrapped signature can be a smart wallet's: everything else was recovered before, and strictly.
    if (!isDeployed && !isErc6492(signature)) return { says: 'no', isDeployed }
    const { data } = await client.call({
      data: encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        args: [wallet, hash, signature],
        bytecode: erc6492SignatureValidatorByteCode,
      }),
    })
    return { says: data !== undefined && hexToBool(data) ? 'yes' : 'no', isDeployed }
  } catch (error) {
    return { says: isRefusal(error) ? 'no' : 'unknown', isDeployed }
  }
}

/** Whether the contract failed, as opposed to the node. Nodes say so in words only. */
function isRefusal(error: unknown): boolean {
  const words = /revert|invalid opcode|out of gas|stack (?:under|over)flow|bad jump|invalid jump|EVM error/i
  const cause = error instanceof BaseError ? error.walk((one) => one instanceof Error && 'code' in one) : null
  return cause instanceof BaseError && words.test(`${cause.shortMessage} ${cause.details}`)
}
