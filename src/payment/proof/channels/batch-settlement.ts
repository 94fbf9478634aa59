import { BATCH_SETTLEMENT_DOMAIN } from '@x402/evm'
import { decodeFunctionData, type Hex, hashTypedData, isAddressEqual, type Log, parseEventLogs } from 'viem'
import type { ChannelEvent, Deal } from './channel-event.ts'
import { BATCH_CALLS, BATCH_EVENTS, BATCH_SETTLEMENT } from './escrows.ts'

interface Config {
  readonly payer: Hex
  readonly payerAuthorizer: Hex
  readonly receiver: Hex
  readonly receiverAuthorizer: Hex
  readonly token: Hex
  readonly withdrawDelay: number
  readonly salt: Hex
}

/** Who deals with whom, by channel. */
export type Deals = ReadonlyMap<Hex, Deal>

const TYPES = {
  ChannelConfig: [
    { name: 'payer', type: 'address' },
    { name: 'payerAuthorizer', type: 'address' },
    { name: 'receiver', type: 'address' },
    { name: 'receiverAuthorizer', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'withdrawDelay', type: 'uint40' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

const dealOf = ({ payer, receiver, token }: Config): Deal => ({ payer, payee: receiver, asset: token })

/**
 * The deals that a call of the contract names. A channel's id is the hash of its terms, so what a call says of a channel
 * is true whoever made it.
 */
export function dealsIn(input: Hex, chainId: number): Deals {
  const domain = { ...BATCH_SETTLEMENT_DOMAIN, chainId, verifyingContract: BATCH_SETTLEMENT }
  const idOf = (message: Config): Hex => hashTypedData({ domain, types: TYPES, primaryType: 'ChannelConfig', message })
  return new Map(configsIn(input, MOST_NESTED).map((config) => [idOf(config), dealOf(config)]))
}

/** Calls in calls in calls: nobody needs more. */
const MOST_NESTED = 2

function configsIn(input: Hex, nested: number): readonly Config[] {
  const call = callIn(input)
  if (call === undefined) return []
  if (call.functionName === 'deposit') return [call.args[0]]
  if (call.functionName !== 'multicall') return call.args[0].map(({ voucher }) => voucher.channel)
  return nested === 0 ? [] : call.args[0].flatMap((inner) => configsIn(inner, nested - 1))
}

function callIn(data: Hex) {
  try {
    return decodeFunctionData({ abi: BATCH_CALLS, data })
  } catch {
    return undefined
  }
}

/**
 * What the contract says in a transaction's logs. Money that is claimed is the receiver's: nobody can take it back, and
 * anybody can have it paid out. The payout itself (`Settled`) is for many channels at once and names none.
 */
export function batchEvents(logs: readonly Log[], known: Deals): ChannelEvent[] {
  const deals = new Map(known)
  return logs.flatMap((log, place): ChannelEvent[] => {
    if (!isAddressEqual(log.address, BATCH_SETTLEMENT)) return []
    const [event] = parseEventLogs({ abi: BATCH_EVENTS, logs: [log], strict: true })
    if (event === undefined) return []
    const channel = event.args.channelId
    switch (event.eventName) {
      case 'ChannelCreated': {
        const deal = dealOf(event.args.config)
        deals.set(channel, deal)
        return [{ kind: 'opened', channel, place, deal }]
      }
      case 'Deposited':
        return [{ kind: 'filled', channel, place }]
      case 'Claimed': {
        const deal = deals.get(channel)
        return deal ? [{ kind: 'paid', channel, place, deal, amount: event.args.claimAmount }] : []
      }
      default:
        return [{ kind: 'refunded', channel, place, amount: event.args.amount }]
    }
  })
}
