import { z } from 'zod'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { bytes58, text58 } from '../../wire/base58.ts'
import type { SolanaNode } from '../nodes.ts'
import type { Decimals } from './dollars.ts'
import { judge, type Move, missing, none, unknown } from './judge.ts'
import type { Proof, ProofRequest } from './proof.ts'

export interface SolanaSettings {
  readonly decimals: Decimals
  readonly nowUs: () => TimestampUs
}

const units = z.string().regex(/^\d{1,20}$/)

/** An instruction that the node could not parse has no `parsed`; of parsed ones only transfers are read. */
const instruction = z.object({ program: z.string().optional(), parsed: z.unknown().optional() })

const balance = z.object({
  accountIndex: z.int().min(0),
  mint: z.string(),
  owner: z.string().optional(),
  uiTokenAmount: z.object({ amount: units }),
})
type Balance = z.output<typeof balance>

/** The answer of `getTransaction` with `jsonParsed`, as far as a payment needs it. */
const ANSWER = z.object({
  blockTime: z.int().min(0),
  transaction: z.object({
    signatures: z.array(z.string()),
    message: z.object({
      accountKeys: z.array(z.object({ pubkey: z.string() })),
      instructions: z.array(instruction),
    }),
  }),
  meta: z.object({
    // Null says that it succeeded; an answer that does not say cannot be read.
    err: z.unknown(),
    preTokenBalances: z.array(balance).nullish(),
    postTokenBalances: z.array(balance).nullish(),
    innerInstructions: z.array(z.object({ index: z.int(), instructions: z.array(instruction) })).nullish(),
  }),
})
type Answer = z.output<typeof ANSWER>

const PROGRAMS = ['spl-token', 'spl-token-2022']
const transferInfo = z.object({
  source: z.string(),
  destination: z.string(),
  authority: z.string().optional(),
  multisigAuthority: z.string().optional(),
})
const TRANSFER = z.discriminatedUnion('type', [
  z.object({ type: z.literal('transfer'), info: transferInfo.extend({ amount: units }) }),
  z.object({
    type: z.literal('transferChecked'),
    info: transferInfo.extend({ tokenAmount: z.object({ amount: units }) }),
  }),
])

/** Looks for the payment on Solana, among finalised transactions only. Rejects when the node does not answer. */
export async function findOnSolana(node: SolanaNode, request: ProofRequest, settings: SolanaSettings): Promise<Proof> {
  const { network } = node
  const id = request.transaction
  const bytes = bytes58(id)
  if (bytes?.length !== 64 || text58(bytes) !== id) {
    return none(`a transaction on ${network} is named by the base58 form of its first signature`)
  }
  const genesis = await node.call('getGenesisHash', [])
  if (typeof genesis !== 'string' || `solana:${genesis.slice(0, 32)}` !== network) {
    return unknown(`the node for ${network} is on another chain`)
  }
  const options = { encoding: 'jsonParsed', commitment: 'finalized', maxSupportedTransactionVersion: 0 }
  const raw = await node.call('getTransaction', [id, options])
  if (raw === null) return missing(request, network, await headUs(node), settings.nowUs())
  const answer = ANSWER.safeParse(raw)
  if (!answer.success || answer.data.transaction.signatures[0] !== id) {
    return unknown(`the node for ${network} gave an answer that cannot be read`)
  }
  if (answer.data.meta.err !== null) return none('the transaction failed: it moved nothing')
  const seen = { network, id, moves: movesIn(answer.data), atUs: answer.data.blockTime * 1_000_000, isFinal: true }
  return judge(request, seen, settings.decimals)
}

/** The newest finalised block may have been skipped: then nothing is known of how far the node is. */
async function headUs(node: SolanaNode): Promise<TimestampUs> {
  const slot = await node.call('getSlot', [{ commitment: 'finalized' }])
  const time = await node.call('getBlockTime', [slot])
  return typeof time === 'number' ? time * 1_000_000 : 0
}

/** Every instruction in the order of execution: each one followed by those that it called. */
function* instructionsOf({ transaction, meta }: Answer) {
  for (const [index, outer] of transaction.message.instructions.entries()) {
    yield outer
    for (const group of meta.innerInstructions ?? []) if (group.index === index) yield* group.instructions
  }
}

/**
 * Token transfers between wallets. One counts for no more than what its payer has lost and its payee has gained in the
 * whole transaction, less what earlier ones were counted for: what goes forth and back is no payment.
 */
function movesIn(answer: Answer): Move[] {
  const { accounts, change } = balancesOf(answer)
  const left = new Map<string, bigint>()
  const moves: Move[] = []
  let place = -1
  for (const { program, parsed } of instructionsOf(answer)) {
    place += 1
    const transfer = PROGRAMS.includes(program ?? '') ? TRANSFER.safeParse(parsed) : undefined
    if (!transfer?.success) continue
    const { type, info } = transfer.data
    const source = accounts.get(info.source)
    const destination = accounts.get(info.destination)
    if (source === undefined || destination === undefined || source.mint !== destination.mint) continue
    // A delegate moves what is not its own.
    if ((info.authority ?? info.multisigAuthority) !== source.owner) continue

    const stated = BigInt(type === 'transfer' ? transfer.data.info.amount : transfer.data.info.tokenAmount.amount)
    const lost = `${source.owner} ${source.mint} lost`
    const gained = `${destination.owner} ${destination.mint} gained`
    const mostLost = left.get(lost) ?? -change(source)
    const mostGained = left.get(gained) ?? change(destination)
    const amount = smallest(stated, mostLost, mostGained)
    if (amount <= 0n) continue
    left.set(lost, mostLost - amount)
    left.set(gained, mostGained - amount)
    moves.push({ asset: source.mint, amount, payer: source.owner, payee: destination.owner, place })
  }
  return moves
}

const smallest = (first: bigint, ...others: bigint[]): bigint => {
  let least = first
  for (const other of others) if (other < least) least = other
  return least
}

interface TokenAccount {
  readonly mint: string
  readonly owner: string
}

/** Token accounts by address, and by how much the transaction changed what a wallet holds of a mint. */
function balancesOf({ transaction, meta }: Answer) {
  const keys = transaction.message.accountKeys
  const accounts = new Map<string, TokenAccount>()
  const changes = new Map<string, bigint>()
  const add = (sign: bigint, balances: readonly Balance[]): void => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
      const address = keys[accountIndex]?.pubkey
      if (address === undefined || owner === undefined) continue
      accounts.set(address, { mint, owner })
      const holding = `${owner} ${mint}`
      changes.set(holding, (changes.get(holding) ?? 0n) + sign * BigInt(uiTokenAmount.amount))
    }
  }
  add(-1n, meta.preTokenBalances ?? [])
  add(1n, meta.postTokenBalances ?? [])
  return { accounts, change: ({ owner, mint }: TokenAccount): bigint => changes.get(`${owner} ${mint}`) ?? 0n }
}
