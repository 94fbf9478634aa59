import { isHash, parseAbi, parseEventLogs, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { Problem } from '../domain/problem.ts'
import { isSameAddress } from '../domain/wallet.ts'
import type { DocumentedPayment, Witness } from '../wire/check-writing.ts'
import { createNodes } from './nodes.ts'
import { createSignatures } from './signatures.ts'

const TRANSFER = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

/** Any name of an EVM chain opens the node; which chain it is on is its own to say. */
const ANY = 'eip155:1'

/** Of a node whose chain nobody has named: it is asked about its own and its silence about another is no answer. */
export function createWitness(rpcUrl: string): Witness {
  const client = createNodes(new Map([[ANY, rpcUrl]])).evm(ANY)?.client
  const signatures = createSignatures({ rpcUrls: new Map([[ANY, rpcUrl]]) })
  return {
    signed: async ({ wallet, message, signature }) => {
      try {
        await signatures.check(wallet, message, signature)
        return 'yes'
      } catch (error) {
        return error instanceof Problem && error.status === 401 ? 'no' : 'unknown'
      }
    },
    paid: async (payment) => {
      const { transaction, network } = payment
      const chainId = /^(?:eip155|tempo):(\d+)$/.exec(network)?.[1]
      if (client === undefined || chainId === undefined || !isHash(transaction)) return 'unknown'
      try {
        if ((await client.getChainId()) !== Number(chainId)) return 'unknown'
        return holds(await client.getTransactionReceipt({ hash: transaction }), payment) ? 'yes' : 'no'
      } catch (error) {
        // Its words hold the node's address.
        return error instanceof TransactionReceiptNotFoundError ? 'no' : 'unknown'
      }
    },
  }
}

function holds({ status, logs }: TransactionReceipt, payment: DocumentedPayment): boolean {
  const { asset, payer, payee, amount, logIndex: named } = payment
  if (status !== 'success' || !/^\d{1,78}$/.test(amount)) return false
  return parseEventLogs({ abi: TRANSFER, logs, strict: true }).some(
    ({ address, args, logIndex }) =>
      (named === null || named === logIndex) &&
      isSameAddress(address, asset) &&
      isSameAddress(args.from, payer) &&
      isSameAddress(args.to, payee) &&
      args.value >= BigInt(amount),
  )
}
