import { type Hex, isAddressEqual, type Log, parseEventLogs } from 'viem'
import { TRANSFER } from '../transfer-log.ts'
import type { ChannelEvent, Deal } from './channel-event.ts'
import { TEMPO_EVENTS } from './escrows.ts'

interface Paid {
  readonly asset: Hex
  readonly to: Hex
  readonly amount: bigint
  readonly place: number
}

/**
 * What Tempo's escrow says in a transaction's logs, all of them. It moves the money and then says for which channel, so
 * the transfers out of it that stand before a log of its own belong to that log.
 */
export function tempoEvents(logs: readonly Log[], escrow: Hex): ChannelEvent[] {
  const events: ChannelEvent[] = []
  let paid: Paid[] = []
  for (const [place, log] of logs.entries()) {
    if (!isAddressEqual(log.address, escrow)) {
      const [transfer] = parseEventLogs({ abi: TRANSFER, logs: [log], strict: true })
      if (transfer === undefined || !isAddressEqual(transfer.args.from, escrow)) continue
      paid.push({ asset: log.address, to: transfer.args.to, amount: transfer.args.value, place })
      continue
    }
    const [event] = parseEventLogs({ abi: TEMPO_EVENTS, logs: [log], strict: true })
    if (event !== undefined) events.push(...eventsOf(event, place, paid))
    paid = []
  }
  return events
}

type TempoLog = ReturnType<typeof parseEventLogs<typeof TEMPO_EVENTS, true>>[number]

function eventsOf({ eventName, args }: TempoLog, place: number, paid: readonly Paid[]): ChannelEvent[] {
  const { channelId: channel, payer, payee } = args
  if (eventName === 'TopUp') return [{ kind: 'filled', channel, place }]
  if (eventName === 'ChannelOpened') {
    return [{ kind: 'opened', channel, place, deal: { payer, payee, asset: args.token } }]
  }
  const moved = paid.flatMap(({ asset, to, amount, place: at }): ChannelEvent[] => {
    const deal: Deal = { payer, payee, asset }
    if (isAddressEqual(to, payee)) return [{ kind: 'paid', channel, place: at, deal, amount }]
    return isAddressEqual(to, payer) ? [{ kind: 'refunded', channel, place: at, amount }] : []
  })
  return eventName === 'ChannelClosed' ? [...moved, { kind: 'closed', channel, place }] : moved
}
