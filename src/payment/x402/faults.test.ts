import { createServer } from 'node:http'
import { encodeFunctionData, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { broadcast, type SignedAuthorization, signAuthorization } from '../../../sandbox/chain/authorization.ts'
import { account, type Base, startBase } from '../../../sandbox/chain/base.ts'
import { dollarAbi, multicallAbi } from '../../../sandbox/chain/contracts.ts'
import { type Facilitator, startFacilitator } from '../../../sandbox/chain/facilitator.ts'
import { portOf } from '../../../sandbox/local/local-server.ts'
import { onEachChain } from '../../../test/support/chains.ts'
import { paidRequest } from '../../../test/support/paid-door.ts'
import {
  type Script,
  type ScriptedFacilitator,
  startScriptedFacilitator,
} from '../../../test/support/scripted-facilitator.ts'
import { isSet, type Outcome, type Payment, type PaymentRail } from '../rail.ts'
import { createFacilitator } from './facilitator.ts'
import { createX402Rail } from './rail.ts'
import { settlePayment } from './settle.ts'

const PRICE = 50_000n
let base: Base
let facilitator: Facilitator
let scripted: ScriptedFacilitator
let payee: LocalAccount

beforeEach(() => {
  scripted.script = 'ok'
})

/** Long enough for the slowest machine where an answer comes. */
const PATIENCE_MS = 20_000
const NO_TIME = { verifyMs: 0, settleMs: 0, supportedMs: 0 }

function openRail(nodeUrl: string | undefined, settleMs = PATIENCE_MS): PaymentRail {
  const opened = createX402Rail({
    config: {
      payTo: [payee.address],
      networks: [{ network: base.network, dollar: null }],
      facilitatorUrl: scripted.url,
      facilitatorHeaders: {},
    },
    rpcUrls: new Map(nodeUrl === undefined ? [] : [[base.network, nodeUrl]]),
    nowUs: () => Date.now() * 1000,
    deadlines: { settleMs },
  })
  if (!isSet(opened)) throw new Error('the rail is unset')
  return opened
}

interface Prepared {
  readonly payer: LocalAccount
  readonly signed: SignedAuthorization
  readonly payment: Payment
}

/** A funded payer's credential, checked and ready to be settled. */
async function prepare(rail: PaymentRail, terms: { validBeforeS?: number } = {}): Promise<Prepared> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await base.fund(payer.address, 2n * PRICE)
  const signed = await signAuthorization(base, payer, { to: payee.address, value: PRICE, ...terms })
  const payment = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: signed }
  const request = paidRequest({ 'x-payment': Buffer.from(JSON.stringify(payment)).toString('base64') })
  const credential = await rail.read(request)
  if (credential === undefined) throw new Error('no credential')
  const checked = await rail.check(credential, request)
  if (!checked.ok) throw new Error(checked.code)
  return { payer, signed, payment: { ...credential, fromBlock: checked.fromBlock, resource: request.resource } }
}

const TRANSACTION = expect.stringMatching(/^0x[0-9a-f]{64}$/)
const PAID = { kind: 'paid', transaction: TRANSACTION, logIndex: 1 }
const PAID_UNSEEN = { kind: 'paid', transaction: TRANSACTION, logIndex: -1 }
const UNKNOWN = { kind: 'unknown' }

/** Script, outcome with a node, outcome without one, and whether the money has moved. */
const CASES: readonly (readonly [Script, object, object, boolean])[] = [
  ['ok', PAID, PAID_UNSEEN, true],
  ['refuse', { kind: 'refused', code: 'invalid_exact_evm_insufficient_balance' }, { kind: 'refused' }, false],
  ['hang', UNKNOWN, UNKNOWN, false],
  ['reset', UNKNOWN, UNKNOWN, false],
  ['error', UNKNOWN, UNKNOWN, false],
  ['lie', UNKNOWN, PAID_UNSEEN, false],
  ['hang-after', PAID, UNKNOWN, true],
  ['reset-after', PAID, UNKNOWN, true],
  ['error-after', PAID, UNKNOWN, true],
  ['pending-after', PAID, UNKNOWN, true],
  ['failed-after', PAID, UNKNOWN, true],
  ['wrong-payer', PAID, UNKNOWN, true],
  ['no-payer', PAID, PAID_UNSEEN, true],
  ['null-payer', PAID, PAID_UNSEEN, true],
  ['empty-payer', PAID, PAID_UNSEEN, true],
  ['wrong-network', PAID, UNKNOWN, true],
  ['wrong-amount', PAID, UNKNOWN, true],
  ['empty-transaction', PAID, UNKNOWN, true],
]

const SILENT = /^the facilitator did not answer in time$/
const CUT_OFF = /^the facilitator could not be reached$/
const BROKEN = /^the facilitator answered HTTP 500$/
const REFUSED = /^the facilitator refused \([a-z0-9_]+\)/

/** What the operator is told of it; that it settled, unless said. */
const SAID: Readonly<Partial<Record<Script, RegExp>>> = {
  ...{ hang: SILENT, 'hang-after': SILENT, reset: CUT_OFF, 'reset-after': CUT_OFF },
  ...{ error: BROKEN, 'error-after': BROKEN },
  ...{ refuse: REFUSED, 'pending-after': REFUSED, 'failed-after': REFUSED },
}

/** How long an answer that never comes is waited for: after a broadcast until it is on the chain for sure. */
const PATIENCE_OF: Readonly<Partial<Record<Script, number>>> = { hang: 200, 'hang-after': 3_000 }

/** A node that does what public ones do: refuses wide log queries. Counts the queries it took. */
async function narrowNode(widest: bigint): Promise<{ url: string; taken: () => number; stop: () => void }> {
  let taken = 0
  const query = z.object({
    method: z.literal('eth_getLogs'),
    params: z.tuple([z.object({ fromBlock: z.string(), toBlock: z.string() })]),
  })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const logs = query.safeParse(JSON.parse(body))
    if (logs.success) {
      const [{ fromBlock, toBlock }] = logs.data.params
      if (BigInt(toBlock) - BigInt(fromBlock) >= widest) {
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'range too wide' } }))
        return
      }
      taken += 1
    }
    const answer = await fetch(base.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.setHeader('content-type', 'application/json')
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    taken: () => taken,
    stop: () => void server.close(),
  }
}

async function cancel({ payer, signed }: Prepared): Promise<void> {
  const { nonce } = signed.authorization
  const signature = await payer.signTypedData({
    domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: base.dollar },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  })
  const hash = await base.walletClient(account(base.accounts, 0)).writeContract({
    address: base.dollar,
    abi: dollarAbi,
    functionName: 'cancelAuthorization',
    args: [payer.address, nonce, signature],
  })
  await base.publicClient.waitForTransactionReceipt({ hash })
}

onEachChain((name) => {
  beforeAll(async () => {
    base = await startBase({ node: name })
    facilitator = await startFacilitator(base)
    scripted = await startScriptedFacilitator(facilitator.url)
    payee = account(base.accounts, 5)
  })
  afterAll(async () => {
    await scripted?.stop()
    await facilitator?.stop()
    await base?.stop()
  })

  describe('settling through a facilitator that', () => {
    test.each(CASES)('answers %s', async (script, withNode, withoutNode, hasMoved) => {
      for (const [nodeUrl, expected] of [
        [base.rpcUrl, withNode],
        [undefined, withoutNode],
      ] as const) {
        scripted.script = 'ok'
        const rail = openRail(nodeUrl, PATIENCE_OF[script])
        const { payer, payment } = await prepare(rail)
        scripted.script = script
        const before = await base.balanceOf(payee.address)
        const said: string[] = []
        const outcome = await rail.settle(payment, (words) => said.push(words))
        expect(outcome).toMatchObject(expected)
        expect(said).toEqual([expect.stringMatching(SAID[script] ?? /^the facilitator says that it settled, /)])
        const moved = hasMoved ? PRICE : 0n
        expect(await base.balanceOf(payee.address)).toBe(before + moved)
        expect(await base.balanceOf(payer.address)).toBe(2n * PRICE - moved)
        // Whatever was answered: afterwards the chain decides, and settling again moves nothing twice.
        expect((await openRail(base.rpcUrl).look(payment)).kind).toBe(hasMoved ? 'paid' : 'unknown')
        scripted.script = 'ok'
        expect(await openRail(base.rpcUrl).settle(payment)).toMatchObject(PAID)
        expect(await base.balanceOf(payer.address)).toBe(PRICE)
      }
    })

    test('names another transaction is believed by the chain alone.', async () => {
      const rail = openRail(base.rpcUrl)
      const { payment, payer } = await prepare(rail)
      scripted.script = 'other-transaction'
      expect(await rail.settle(payment)).toMatchObject(PAID)
      expect(await base.balanceOf(payer.address)).toBe(PRICE)
    })

    test('writes a transaction in capitals has named the same one.', async () => {
      const { payment } = await prepare(openRail(undefined))
      const named = `0x${'ab'.repeat(32)}`
      const loud = async () => {
        const transaction = `0x${'AB'.repeat(32)}`
        return { answered: true, success: true, payer: payment.payer, network: payment.network, transaction } as const
      }
      const facilitator = { ...createFacilitator({ url: '', headers: {}, fetch, deadlines: NO_TIME }), settle: loud }
      const outcome = { kind: 'paid', transaction: named, logIndex: -1 }
      expect(await settlePayment(payment, facilitator, undefined)).toEqual(outcome)
    })

    test('says no while the payment is on chain already: it is paid.', async () => {
      const rail = openRail(base.rpcUrl)
      const { payment, signed } = await prepare(rail)
      const transaction = await broadcast(base, signed)
      scripted.script = 'refuse'
      expect(await rail.settle(payment)).toMatchObject({ kind: 'paid', transaction })
    })

    test('calls a credential invalid is not asked to settle it.', async () => {
      scripted.script = 'invalid'
      const settles = facilitator.calls.settle
      await expect(prepare(openRail(base.rpcUrl))).rejects.toThrow('invalid_exact_evm_signature')
      expect(facilitator.calls.settle).toBe(settles)
    })
  })

  describe('looking at the chain', () => {
    test('A nonce used for another, or cancelled, has ended once its time is over.', async () => {
      const rail = openRail(base.rpcUrl)
      const other = await prepare(rail)
      const { nonce } = other.signed.authorization
      const to = account(base.accounts, 6).address
      await broadcast(base, await signAuthorization(base, other.payer, { to, value: PRICE, nonce }))
      expect(await rail.look(other.payment)).toMatchObject(UNKNOWN)

      const cancelled = await prepare(rail)
      await cancel(cancelled)
      expect(await rail.look(cancelled.payment)).toMatchObject(UNKNOWN)

      const unused = await prepare(rail)
      const paid = await prepare(rail)
      await rail.settle(paid.payment)
      const snapshot = await base.testClient.snapshot()
      await base.advance(300 + 30)
      expect(await rail.look(unused.payment)).toMatchObject(UNKNOWN)
      await base.advance(40)
      const seen: Outcome[] = []
      for (const { payment } of [other, cancelled, unused, paid]) seen.push(await rail.look(payment))
      expect(seen.map(({ kind }) => kind)).toEqual(['expired', 'expired', 'expired', 'paid'])
      await base.testClient.revert({ id: snapshot })
    })

    test('Narrow nodes are asked in small steps, and no further than the authorisation’s end.', async () => {
      const rail = openRail(base.rpcUrl)
      const { payment, signed } = await prepare(rail)
      await base.testClient.mine({ blocks: 35 })
      const transaction = await broadcast(base, signed)
      await base.testClient.mine({ blocks: 25 })
      for (const widest of [10n, 100n]) {
        const node = await narrowNode(widest)
        expect(await openRail(node.url).look(payment)).toMatchObject({ kind: 'paid', transaction })
        expect(node.taken()).toBe(widest === 10n ? 9 : 1)
        node.stop()
      }
      const refusing = await narrowNode(1n)
      expect(await openRail(refusing.url).look(payment)).toMatchObject(UNKNOWN)
      refusing.stop()
    })

    test('Two authorisations in one transaction are two payments, each with its own transfer.', async () => {
      const rail = openRail(base.rpcUrl)
      const one = await prepare(rail)
      const two = await signAuthorization(base, one.payer, { to: payee.address, value: PRICE })
      const calls = [one.signed, two].map(
        ({ authorization: { from, to, value, validAfter, validBefore, nonce }, signature }) => ({
          target: base.dollar,
          callData: encodeFunctionData({
            abi: dollarAbi,
            functionName: 'transferWithAuthorization',
            args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
          }),
        }),
      )
      const hash = await base.walletClient(account(base.accounts, 0)).writeContract({
        address: '0xcA11bde05977b3631167028862bE2a173976CA11',
        abi: multicallAbi,
        functionName: 'tryAggregate',
        args: [true, calls],
      })
      await base.publicClient.waitForTransactionReceipt({ hash })
      const key = one.payment.key.replace(one.signed.authorization.nonce, two.authorization.nonce)
      expect(await rail.look(one.payment)).toEqual({ kind: 'paid', transaction: hash, logIndex: 1 })
      expect(await rail.look({ ...one.payment, key })).toEqual({ kind: 'paid', transaction: hash, logIndex: 3 })
    })

    test('A transfer of less than the amount, or to another payee, is not this payment.', async () => {
      const rail = openRail(base.rpcUrl)
      const { payment, signed } = await prepare(rail)
      await broadcast(base, signed)
      expect(await rail.look({ ...payment, amount: String(PRICE + 1n) })).toMatchObject(UNKNOWN)
      expect(await rail.look({ ...payment, payee: account(base.accounts, 6).address })).toMatchObject(UNKNOWN)
      expect(await rail.look({ ...payment, raw: null })).toMatchObject(PAID)
      expect(await rail.settle({ ...payment, raw: null })).toMatchObject(PAID)
    })

    test('Without a node, or with one that is down, nobody can say.', async () => {
      const { payment, signed } = await prepare(openRail(base.rpcUrl))
      await broadcast(base, signed)
      expect(await openRail(undefined).look(payment)).toMatchObject(UNKNOWN)
      const outcome = await openRail('http://127.0.0.1:9/key-in-the-path').look(payment)
      expect(outcome).toMatchObject(UNKNOWN)
      expect(JSON.stringify(outcome)).not.toContain('key-in-the-path')
    })
  })
})
