import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startJsonServer } from '../../../test/support/json-server.ts'
import { paidRequest } from '../../../test/support/paid-door.ts'
import { type SolanaParts, solanaTransaction, solanaWallet, withFeePayer } from '../../../test/support/solana.ts'
import { Problem } from '../../domain/problem.ts'
import { text58 } from '../../wire/base58.ts'
import { isSet, type Payment, type PaymentRail } from '../rail.ts'
import { createX402Rail } from './rail.ts'
import { tokenAccountOf } from './solana/account.ts'
import { parseSolanaTransaction } from './solana/transaction.ts'
import { readSolanaTransfer } from './solana/transfer.ts'

/*
 * No Solana chain can run here: its node is no npm package. Facilitator and node are loopback servers that answer what a
 * test puts there, in the shape of the public ones. The transactions are real: built by hand and signed with ed25519.
 */

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const NOW_S = 1_800_000_000
const SLOT = 300_000_000

const payer = solanaWallet()
const payee = solanaWallet()
const feePayer = solanaWallet().address
const destination = tokenAccountOf(payee.address, USDC, TOKEN) ?? ''
const FEE_SIGNATURE = Buffer.alloc(64, 3)
const ID = text58(FEE_SIGNATURE)

const made = (changes: Partial<SolanaParts> = {}): Buffer =>
  solanaTransaction({ feePayer, payer, mint: USDC, destination, amount: 50_000n, ...changes })

/** What the two servers answer, by path or method; `undefined` is no answer. */
const answers = new Map<string, unknown>()
const asked: string[] = []
const call = z.object({ id: z.number(), method: z.string() })
let url = ''
beforeAll(async () => {
  const server = await startJsonServer((path, body) => {
    const rpc = path === '/node' ? call.parse(JSON.parse(body)) : undefined
    const name = rpc?.method ?? path
    asked.push(name)
    if (!answers.has(name)) return undefined
    const result = answers.get(name)
    return rpc ? { jsonrpc: '2.0', id: rpc.id, result } : result
  })
  url = server.url
  return server.close
})
beforeEach(() => {
  asked.length = 0
  answers.clear()
  const kinds = [{ x402Version: 2, scheme: 'exact', network: SOLANA, extra: { feePayer } }]
  answers.set('/supported', { kinds, extensions: [], signers: {} })
  answers.set('/verify', { isValid: true, payer: payer.address })
  answers.set('/settle', { success: true, payer: payer.address, transaction: ID, network: SOLANA })
  answers.set('getGenesisHash', GENESIS)
  answers.set('getSlot', SLOT)
  answers.set('getBlockTime', NOW_S)
  answers.set('getSignaturesForAddress', [])
  answers.set('getFirstAvailableBlock', 0)
  answers.set('getTransaction', null)
})

function openRail(withNode = true): PaymentRail {
  const opened = createX402Rail({
    config: {
      payTo: [payee.address],
      networks: [{ network: SOLANA, dollar: null }],
      facilitatorUrl: url,
      facilitatorHeaders: {},
    },
    rpcUrls: new Map(withNode ? [[SOLANA, `${url}/node`]] : []),
    nowUs: () => NOW_S * 1_000_000,
  })
  if (!isSet(opened)) throw new Error(opened.missing.join())
  return opened
}

const requestWith = (transaction: Buffer, version: 1 | 2 = 2) => {
  const payload = { transaction: transaction.toString('base64') }
  const accepted = { scheme: 'exact', network: SOLANA, asset: USDC, amount: '50000', payTo: payee.address }
  const [name, payment] =
    version === 1
      ? ['x-payment', { x402Version: 1, scheme: 'exact', network: 'solana', payload }]
      : ['payment-signature', { x402Version: 2, accepted, payload }]
  return paidRequest({ [name]: Buffer.from(JSON.stringify(payment)).toString('base64') })
}

async function prepare(rail: PaymentRail, transaction = made()): Promise<Payment> {
  const request = requestWith(transaction)
  const credential = await rail.read(request)
  if (credential === undefined) throw new Error('no credential')
  const checked = await rail.check(credential, request)
  if (!checked.ok) throw new Error(checked.code)
  return { ...credential, fromBlock: checked.fromBlock, resource: request.resource }
}

/** Puts the transaction on the chain, as the node tells it. */
function include(transaction: Buffer, err: unknown = null): void {
  answers.set('getSignaturesForAddress', [{ signature: ID, slot: SLOT + 1, err }])
  const onChain = withFeePayer(transaction, FEE_SIGNATURE).toString('base64')
  answers.set('getTransaction', { slot: SLOT + 1, meta: { err }, transaction: [onChain, 'base64'] })
}

describe('the demand', () => {
  test('names the mint, the payee’s wallet and the facilitator’s fee payer.', async () => {
    const rail = openRail()
    const { more } = await rail.demand(paidRequest())
    expect(more.accepts).toMatchObject([
      { network: 'solana', asset: USDC, payTo: payee.address, maxAmountRequired: '50000', extra: { feePayer } },
    ])
    await rail.demand(paidRequest())
    expect(asked).toEqual(['/supported'])
  })

  test('cannot be made while the facilitator says nothing.', async () => {
    answers.delete('/supported')
    const problem = await openRail()
      .demand(paidRequest())
      .catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({ slug: 'payment-backend', more: { charged: false } })
  })
})

describe('the credential', () => {
  test.each([
    [1, false],
    [2, false],
    [2, true],
  ] as const)('is read from version %i, versioned message %s.', async (version, isVersioned) => {
    const transaction = made({ isVersioned })
    const credential = await openRail().read(requestWith(transaction, version))
    expect(credential).toMatchObject({
      network: SOLANA,
      asset: USDC,
      payer: payer.address,
      payee: payee.address,
      amount: '50000',
    })
    expect(credential?.key).toMatch(/^solana:5eykt4usfv8p8njdtrepy1vzqkqzkvdp:[0-9a-f]{64}$/)
    const again = await openRail().read(requestWith(withFeePayer(transaction, FEE_SIGNATURE), version))
    expect(again?.key).toBe(credential?.key)
  })

  test.each([
    ['another mint', { mint: payee.address }, 'invalid_asset'],
    ['another account', { destination: payee.address }, 'recipient_mismatch'],
    ['another amount', { amount: 49_999n }, 'amount_mismatch'],
    ['a further program', { others: ['11111111111111111111111111111111'] }, 'invalid_instructions'],
  ])('does not pay with %s, and nobody is asked.', async (_, changes, code) => {
    await expect(prepare(openRail(), made(changes))).rejects.toThrow(code)
    expect(asked).toEqual([])
  })

  test('does not pay unless the payer signed it.', async () => {
    const transaction = made()
    transaction.fill(1, 65, 129)
    await expect(prepare(openRail(), transaction)).rejects.toThrow('invalid_signature')
  })

  test('that is cut or changed anywhere is never read as this payment.', () => {
    const transaction = made()
    const digest = readSolanaTransfer(transaction)?.digest
    fc.assert(
      fc.property(fc.nat(transaction.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        expect(parseSolanaTransaction(transaction.subarray(0, at))).toBeUndefined()
        const changed = Buffer.from(transaction)
        changed[at] = (changed[at] ?? 0) ^ change
        const read = readSolanaTransfer(changed)
        if (at >= 129) expect(read?.digest).not.toBe(digest)
        else if (at >= 65) expect(read?.isSigned).toBe(false)
      }),
    )
  })

  test('of any bytes is read or refused, and never fails.', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const read = readSolanaTransfer(bytes)
        expect(read === undefined || read.digest.length === 64).toBe(true)
      }),
    )
  })
})

describe('settling', () => {
  test('counts when the transaction on the chain is the payer’s.', async () => {
    const rail = openRail()
    const transaction = made()
    const payment = await prepare(rail, transaction)
    include(transaction)
    expect(await rail.settle(payment)).toEqual({ kind: 'paid', transaction: ID, logIndex: 1 })
  })

  test('does not count when the named transaction is another, or is not there.', async () => {
    const rail = openRail()
    const payment = await prepare(rail)
    expect(await rail.settle(payment)).toMatchObject({ kind: 'unknown' })
    include(made({ memo: 'another note' }))
    expect(await rail.settle(payment)).toMatchObject({ kind: 'unknown' })
  })

  test('without a node trusts what fits.', async () => {
    const rail = openRail(false)
    const payment = await prepare(rail)
    expect(await rail.settle(payment)).toEqual({ kind: 'paid', transaction: ID, logIndex: -1 })
    answers.set('/settle', { success: true, payer: payer.address, transaction: '', network: SOLANA })
    expect(await rail.settle(payment)).toMatchObject({ kind: 'unknown' })
  })

  test('that the facilitator lost is found by the payer’s transactions.', async () => {
    const rail = openRail()
    const transaction = made()
    const payment = await prepare(rail, transaction)
    answers.delete('/settle')
    expect(await rail.settle(payment)).toMatchObject({ kind: 'unknown' })
    include(transaction)
    expect(await rail.settle(payment)).toMatchObject({ kind: 'paid', transaction: ID })
    expect(await rail.look({ ...payment, raw: null })).toMatchObject({ kind: 'paid', transaction: ID })
  })

  test('has ended when the transaction failed, or the chain’s clock is past it.', async () => {
    const rail = openRail()
    const transaction = made()
    const payment = await prepare(rail, transaction)
    include(transaction, { InstructionError: [1, 'Custom'] })
    expect(await rail.look(payment)).toMatchObject({ kind: 'expired' })
    answers.set('getSignaturesForAddress', [])
    answers.set('getBlockTime', NOW_S + 179)
    expect(await rail.look(payment)).toMatchObject({ kind: 'unknown' })
    answers.set('getBlockTime', NOW_S + 181)
    expect(await rail.look(payment)).toMatchObject({ kind: 'expired' })
    answers.set('getGenesisHash', payee.address)
    expect(await rail.look(payment)).toMatchObject({ kind: 'unknown' })
  })

  test('has not ended as long as the node may have forgotten it.', async () => {
    const rail = openRail()
    const payment = await prepare(rail)
    answers.set('getBlockTime', NOW_S + 181)
    answers.set('getFirstAvailableBlock', SLOT)
    expect(await rail.look(payment)).toMatchObject({ kind: 'unknown' })
    const others = Array.from({ length: 1_000 }, (_, n) => ({
      signature: ID,
      slot: SLOT + n,
      err: null,
      blockTime: NOW_S + 999,
    }))
    answers.set('getFirstAvailableBlock', 0)
    answers.set('getSignaturesForAddress', others)
    expect(await rail.look(payment)).toMatchObject({ kind: 'unknown' })
    answers.set('getSignaturesForAddress', [...others.slice(1), { signature: ID, slot: SLOT - 100, err: null }])
    expect(await rail.look(payment)).toMatchObject({ kind: 'expired' })
    // Checked without a node: nobody knows the slot, so that the times of blocks decide.
    const trusted = { ...payment, fromBlock: 0 }
    answers.set('getSignaturesForAddress', [])
    answers.set('getFirstAvailableBlock', SLOT)
    expect(await rail.look(trusted)).toMatchObject({ kind: 'unknown' })
    answers.set('getFirstAvailableBlock', 0)
    expect(await rail.look(trusted)).toMatchObject({ kind: 'expired' })
  })

  test('that was seen is final once the node says so, and gone for good only when its end is final.', async () => {
    const rail = openRail()
    const transaction = made()
    const payment = await prepare(rail, transaction)
    include(transaction)
    expect(await rail.watch?.(payment, ID)).toEqual({ kind: 'paid', transaction: ID, logIndex: 1, isFinal: true })
    answers.set('getSignaturesForAddress', [])
    answers.set('getTransaction', null)
    expect(await rail.watch?.(payment, ID)).toMatchObject({ kind: 'unknown' })
    answers.set('getBlockTime', NOW_S + 181)
    expect(await rail.watch?.(payment, ID)).toMatchObject({ kind: 'expired' })
    answers.set('getGenesisHash', payee.address)
    expect(await rail.watch?.(payment, ID)).toMatchObject({ kind: 'unknown' })
    expect(await openRail(false).watch?.(payment, ID)).toMatchObject({ kind: 'unknown' })
  })

  test('that was believed without a node is looked for by the named transaction once there is one.', async () => {
    const transaction = made()
    const payment = await prepare(openRail(false), transaction)
    expect(openRail(false).hindsight?.networks).toEqual([])
    const { hindsight } = openRail()
    expect(hindsight?.networks).toEqual([SOLANA])
    expect(await hindsight?.look(payment, ID)).toMatchObject({ kind: 'unknown' })
    include(transaction)
    answers.set('getSignaturesForAddress', [])
    expect(await hindsight?.look(payment, ID)).toEqual({ kind: 'paid', transaction: ID, logIndex: 1 })
  })
})
