import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startJsonServer } from '../../../test/support/json-server.ts'
import { text58 } from '../../wire/base58.ts'
import { createProofs } from './create-proofs.ts'
import type { ProofRequest } from './proof.ts'

/*
 * No Solana chain can run here: its node is no npm package. A loopback JSON-RPC server gives answers built by hand in the
 * shape of `getTransaction` with `jsonParsed`, under invented wallets.
 */

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const key = (byte: number): string => text58(Buffer.alloc(32, byte))
const [BUYER, SELLER, OTHER, FEE_PAYER] = [key(1), key(2), key(3), key(4)]
const [BUYER_ACCOUNT, SELLER_ACCOUNT, OTHER_ACCOUNT] = [key(11), key(12), key(13)]
const ID = text58(Buffer.alloc(64, 7))
const BLOCK_TIME = Date.UTC(2026, 10, 14) / 1000
const SUBMITTED = (BLOCK_TIME + 30) * 1_000_000

/** What the node answers, by method; anything may be put there. */
const answers = new Map<string, unknown>()
const asked: unknown[] = []
let url = ''
beforeAll(async () => {
  const server = await startJsonServer((_, body) => {
    const { id, method, params } = JSON.parse(body)
    asked.push({ method, params })
    return { jsonrpc: '2.0', id, result: answers.get(method) }
  })
  url = server.url
  return server.close
})

interface Sent {
  readonly amount?: number
  readonly authority?: string
  readonly mint?: string
  readonly type?: 'transfer' | 'transferChecked'
  readonly program?: string
  readonly destination?: string
  readonly source?: string
}

const transfer = (sent: Sent = {}): object => {
  const {
    amount = 50_000,
    authority = BUYER,
    mint = USDC,
    type = 'transferChecked',
    program = 'spl-token',
    destination = SELLER_ACCOUNT,
    source = BUYER_ACCOUNT,
  } = sent
  const money =
    type === 'transfer' ? { amount: String(amount) } : { mint, tokenAmount: { amount: String(amount), decimals: 6 } }
  return {
    program,
    programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    parsed: { type, info: { source, destination, authority, ...money } },
    stackHeight: null,
  }
}
/** As x402 payments begin: limits and fees of the compute budget, which the node does not parse. */
const COMPUTE = { programId: 'ComputeBudget111111111111111111111111111111', accounts: [], data: '3DTZbgwsozUF' }

const holding = (accountIndex: number, owner: string, amount: number, mint = USDC): object => ({
  accountIndex,
  mint,
  owner,
  programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  uiTokenAmount: { amount: String(amount), decimals: 6, uiAmount: amount / 1e6, uiAmountString: String(amount / 1e6) },
})

interface Told {
  readonly instructions?: readonly object[]
  readonly inner?: readonly { readonly index: number; readonly instructions: readonly object[] }[]
  readonly moved?: number
  readonly mint?: string
  readonly err?: unknown
  readonly id?: string
}

const transaction = (told: Told = {}) => {
  const { instructions = [COMPUTE, COMPUTE, transfer()], inner = [], moved = 50_000, mint = USDC, err = null } = told
  return {
    blockTime: BLOCK_TIME,
    slot: 300_000_000,
    version: 0,
    transaction: {
      signatures: [told.id ?? ID, text58(Buffer.alloc(64, 8))],
      message: {
        accountKeys: [FEE_PAYER, BUYER, BUYER_ACCOUNT, SELLER_ACCOUNT, OTHER_ACCOUNT].map((pubkey, index) => ({
          pubkey,
          signer: index < 2,
          source: 'transaction',
          writable: true,
        })),
        instructions,
        recentBlockhash: key(9),
      },
    },
    meta: {
      err,
      fee: 10_000,
      innerInstructions: inner,
      preTokenBalances: [
        holding(2, BUYER, 1_000_000, mint),
        holding(3, SELLER, 5, mint),
        holding(4, OTHER, 1_000_000, mint),
      ],
      postTokenBalances: [
        holding(2, BUYER, 1_000_000 - moved, mint),
        holding(3, SELLER, 5 + moved, mint),
        holding(4, OTHER, 1_000_000, mint),
      ],
    },
  }
}

const request = (over: Partial<ProofRequest> = {}): ProofRequest => ({
  network: 'solana',
  transaction: ID,
  wallet: BUYER,
  payees: [{ network: 'solana', payee: SELLER }],
  prices: [{ network: 'solana', price: 50_000, firstUs: 0, lastUs: SUBMITTED }],
  submittedUs: SUBMITTED,
  ...over,
})
async function find(answer: unknown, over: Partial<ProofRequest> = {}, nowUs = SUBMITTED, genesis: unknown = GENESIS) {
  answers.set('getGenesisHash', genesis).set('getTransaction', answer)
  return createProofs({ rpcUrls: new Map([[SOLANA, url]]), nowUs: () => nowUs }).find(request(over))
}
async function reason(answer: unknown, over: Partial<ProofRequest> = {}): Promise<string> {
  const proof = await find(answer, over)
  return `${proof.kind}: ${proof.kind === 'found' ? '' : proof.reason}`
}

describe('a payment on Solana', () => {
  it('supports its payer when a fee payer has sent it, and is final at once', async () => {
    expect(await find(transaction())).toEqual({
      kind: 'found',
      network: SOLANA,
      transaction: ID,
      transfers: [
        {
          asset: USDC,
          amount: '50000',
          payer: BUYER,
          payee: SELLER,
          logIndex: 2,
          atUs: BLOCK_TIME * 1_000_000,
          isFinal: true,
        },
      ],
    })
    const options = { encoding: 'jsonParsed', commitment: 'finalized', maxSupportedTransactionVersion: 0 }
    expect(asked.at(-1)).toEqual({ method: 'getTransaction', params: [ID, options] })
  })

  it('counts as an unchecked transfer, by Token-2022 and from within another program', async () => {
    const kinds: Sent[] = [{ type: 'transfer' }, { program: 'spl-token-2022' }]
    for (const kind of kinds) expect((await find(transaction({ instructions: [transfer(kind)] }))).kind).toBe('found')
    const inner = [{ index: 1, instructions: [COMPUTE, transfer()] }]
    expect(await find(transaction({ instructions: [COMPUTE, COMPUTE, COMPUTE], inner }))).toMatchObject({
      kind: 'found',
      transfers: [{ logIndex: 3 }],
    })
  })

  it('is two where one transaction pays twice', async () => {
    const proof = await find(transaction({ instructions: [transfer(), COMPUTE, transfer()], moved: 100_000 }))
    expect(proof.kind === 'found' && proof.transfers.map(({ logIndex }) => logIndex)).toEqual([0, 2])
  })

  it('is one where the money went forth, back and forth again', async () => {
    const back = transfer({ source: SELLER_ACCOUNT, destination: BUYER_ACCOUNT, authority: SELLER })
    const proof = await find(transaction({ instructions: [transfer(), back, transfer()] }))
    expect(proof.kind === 'found' && proof.transfers.map(({ logIndex }) => logIndex)).toEqual([0])
    expect(await reason(transaction({ instructions: [transfer(), back], moved: 0 }))).toMatch(/^none: .*pays nobody/)
  })

  it.each([
    ['that failed', transaction({ err: { InstructionError: [2, { Custom: 1 }] } }), /^none: .*failed/],
    [
      'that is too small',
      transaction({ instructions: [transfer({ amount: 49_999 })], moved: 49_999 }),
      /^none: .*smaller/,
    ],
    ['whose balances say less than its instruction', transaction({ moved: 49_999 }), /^none: .*smaller/],
    ['in another mint', transaction({ mint: key(5) }), /^none: .*not known as a dollar/],
    [
      'to somebody else',
      transaction({ instructions: [transfer({ destination: OTHER_ACCOUNT })] }),
      /^none: .*pays nobody/,
    ],
    ['by a delegate', transaction({ instructions: [transfer({ authority: OTHER })] }), /^none: .*pays nobody/],
    ['without transfers', transaction({ instructions: [COMPUTE] }), /^none: .*pays nobody/],
    ['of another program', transaction({ instructions: [transfer({ program: 'mine' })] }), /^none: .*pays nobody/],
  ])('is none %s', async (_, answer, expected) => {
    expect(await reason(answer)).toMatch(expected)
  })

  it('supports neither the fee payer nor anybody else', async () => {
    for (const wallet of [FEE_PAYER, OTHER])
      expect(await reason(transaction(), { wallet })).toMatch(/^none: .*another wallet/)
  })

  it('is none after the review', async () => {
    expect(await reason(transaction(), { submittedUs: (BLOCK_TIME - 600) * 1_000_000 })).toMatch(/after the review/)
  })

  it('may still come for ten minutes after the review', async () => {
    answers.set('getSlot', 300_000_000).set('getBlockTime', BLOCK_TIME)
    expect(await find(null, {}, SUBMITTED + 1)).toMatchObject({ kind: 'unknown', isMissing: true })
    answers.set('getSlot', 300_000_000).set('getBlockTime', SUBMITTED / 1_000_000)
    expect((await find(null, {}, SUBMITTED + 600_000_000)).kind).toBe('none')
    answers.set('getBlockTime', BLOCK_TIME)
    expect((await find(null, {}, SUBMITTED + 600_000_000)).kind).toBe('unknown')
    answers.set('getBlockTime', null)
    expect((await find(null, {}, SUBMITTED + 600_000_000)).kind).toBe('unknown')
  })

  it('has one name: 64 bytes in base58', async () => {
    for (const id of [`1${ID}`, ID.slice(1), `0x${'ab'.repeat(32)}`, BUYER, '', 'O0Il'])
      expect(await reason(transaction({ id }), { transaction: id })).toMatch(/^none: .*base58/)
  })

  it('stays undecided when the node is on another chain or tells of another transaction', async () => {
    const devnet = await find(transaction(), {}, SUBMITTED, 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG')
    expect(devnet).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('another chain') })
    expect(await reason(transaction({ id: text58(Buffer.alloc(64, 8)) }))).toMatch(/^unknown: .*cannot be read/)
  })

  it('stays undecided when the answer does not say whether it succeeded', async () => {
    const { meta, ...rest } = transaction()
    const { err: _, ...silent } = meta
    expect(await reason({ ...rest, meta: silent })).toMatch(/^unknown: .*cannot be read/)
  })

  it('stays undecided whatever nonsense a node answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (nonsense) => {
        fc.pre(nonsense !== null)
        const whole = await find(nonsense)
        const meta = await find({ ...transaction(), meta: nonsense })
        const genesis = await find(transaction(), {}, SUBMITTED, nonsense)
        expect([whole.kind, meta.kind, genesis.kind]).toEqual(['unknown', 'unknown', 'unknown'])
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 60) },
    )
  })
})
