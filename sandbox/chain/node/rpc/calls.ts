import { createFeeMarket1559Tx } from '@ethereumjs/tx'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import type { Hex } from 'viem'
import { z } from 'zod'
import { addressOf, addressText, hexText, join, quantity } from '../hex.ts'
import { failureOf, RpcError } from '../rpc-error.ts'
import { GAS_LIMIT } from '../rules.ts'
import { surroundings } from '../state/machine.ts'
import type { BlockTag } from './block-tag.ts'
import type { Reader } from './reader.ts'

const call = z.object({
  to: addressText.nullish(),
  data: hexText.optional(),
  input: hexText.optional(),
  value: quantity.optional(),
})

/** A transaction that nobody has signed, to be tried. With `calls` it is one of Tempo's. */
export const callRequest = z.looseObject({
  ...call.shape,
  from: addressText.nullish(),
  gas: quantity.optional(),
  calls: z.array(call).optional(),
})

type Call = z.infer<typeof call>
export type CallRequest = z.infer<typeof callRequest>

const dataOf = ({ data, input }: Call): Hex => data ?? input ?? '0x'
const callsOf = (request: CallRequest): readonly Call[] => request.calls ?? [request]

interface Tried {
  readonly gasUsed: bigint
  /** What the last call answered. */
  readonly returned: Hex
}

/** Tries calls one after the other, and keeps nothing of what they do. Throws the reason of the first that fails. */
function attempt(reader: Reader, request: CallRequest, tag: BlockTag | undefined): Promise<Tried> {
  return reader.at(tag, async ({ evm }, { number, timeS }) => {
    const { common, history } = reader.chain
    // On top of the chain it is as late as in the next block.
    const isHead = number === history.blocks.head.number
    const block = surroundings(common, number, isHead ? history.nextTimeS : timeS)
    const caller = request.from ? { caller: addressOf(request.from), origin: addressOf(request.from) } : {}
    let tried: Tried = { gasUsed: 0n, returned: '0x' }
    await evm.journal.checkpoint()
    try {
      for (const one of callsOf(request)) {
        const { execResult } = await evm.runCall({
          ...caller,
          ...(one.to ? { to: addressOf(one.to) } : {}),
          data: hexToBytes(dataOf(one)),
          value: one.value ?? 0n,
          gasLimit: request.gas ?? GAS_LIMIT,
          block,
          skipBalance: true,
        })
        const failure = failureOf(execResult)
        if (failure !== undefined) throw failure
        const gasUsed = tried.gasUsed + execResult.executionGasUsed
        tried = { gasUsed, returned: bytesToHex(execResult.returnValue) }
      }
    } finally {
      await evm.journal.revert()
      evm.journal.cleanJournal()
    }
    return tried
  })
}

/** As anvil, a Tempo chain does not try `calls`: a payment that would fail is taken, and seen to fail on chain. */
const isUntried = ({ chain }: Reader, request: CallRequest): boolean =>
  chain.options.kind === 'tempo' && request.calls !== undefined

export const answerCall = async (reader: Reader, request: CallRequest, tag?: BlockTag): Promise<Hex> =>
  isUntried(reader, request) ? '0x' : (await attempt(reader, request, tag)).returned

/** What a Tempo transaction takes beside its calls: the fee is moved twice. */
const TEMPO_GAS = 60_000n
/** For calls that would fail if they were tried now. */
const USUAL_GAS = 250_000n

export async function estimateGas(reader: Reader, request: CallRequest, tag?: BlockTag): Promise<bigint> {
  const { gas: _, ...unlimited } = request
  const { gasUsed } = await attempt(reader, unlimited, tag).catch((error: unknown) => {
    if (error instanceof RpcError && isUntried(reader, request)) return { gasUsed: USUAL_GAS }
    throw error
  })
  const calls = callsOf(request)
  const to = calls[0]?.to
  const data = hexToBytes(join(...calls.map(dataOf)))
  const { common, options } = reader.chain
  const transaction = createFeeMarket1559Tx({ ...(to ? { to } : {}), data, gasLimit: GAS_LIMIT }, { common })
  // Each level of calls keeps back a 64th of its gas, so what was used is not enough.
  const enough = ((gasUsed + transaction.getIntrinsicGas()) * 5n) / 4n + 10_000n
  return enough + (options.kind === 'tempo' ? TEMPO_GAS : 0n)
}
