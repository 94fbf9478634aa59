import { type Log, parseAbi, parseEventLogs } from 'viem'
import { parseWallet } from '../../wire/wallet.ts'
import type { Move } from './judge.ts'

export const TRANSFER = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

/** Every Transfer log. Which contracts are dollars is judged later: anybody can deploy one that emits whatever it likes. */
export const transfersIn = (logs: readonly Log[]): Move[] =>
  logs.flatMap((log, place) =>
    parseEventLogs({ abi: TRANSFER, logs: [log], strict: true }).map(({ address, args }) => ({
      asset: printed(address),
      amount: args.value,
      payer: printed(args.from),
      payee: printed(args.to),
      place,
    })),
  )

export const printed = (address: string): string => parseWallet(address) ?? address
