import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Hex, hashMessage, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, type Base, startBase } from '../../sandbox/chain/base.ts'
import { openSmartWallets, type SmartWallets } from '../../sandbox/chain/smart-wallets.ts'
import { onEachChain } from '../../test/support/chains.ts'
import { reviewMessage } from '../wire/signed-lines.ts'
import { createSignatures } from './signatures.ts'

const MESSAGE = reviewMessage({
  method: 'GET',
  url: 'https://api.seller.example/v1/weather',
  rail: 'x402',
  rating: 4,
  text: 'As described.',
  payment: null,
  signedAt: '2026-11-14T12:34:56Z',
})

let base: Base
let wallets: SmartWallets
let broken: Server
let elsewhere: Server
/** Of any wallet there. */
let codeElsewhere: Hex

const owner = () => account(base.accounts, 1)
const salt = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
const withNode = (url = base.rpcUrl) => createSignatures({ rpcUrls: new Map([[base.network, url]]) })
const urlOf = (server: Server): string => {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
const brokenUrl = (): string => urlOf(broken)
/** Nothing listens there. */
const DOWN = 'http://127.0.0.1:9'

const INVALID = { slug: 'invalid-signature', status: 401 }
const UNCHECKED = { slug: 'signature-unchecked', status: 503, headers: { 'Retry-After': '30' } }

onEachChain((name) => {
  beforeAll(async () => {
    base = await startBase({ node: name })
    wallets = await openSmartWallets(base)
    // A node that is there and answers every question with an error of its own.
    broken = createServer((_, answer) => {
      answer.setHeader('content-type', 'application/json')
      answer.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'limit exceeded' } }))
    })
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
    // A chain that says which wallets are deployed, and fails at every call.
    elsewhere = createServer(async (request, answer) => {
      const { id, method } = JSON.parse(await text(request))
      const error = { code: -32000, message: 'invalid opcode' }
      answer.setHeader('content-type', 'application/json')
      answer.end(
        JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'eth_getCode' ? { result: codeElsewhere } : { error }) }),
      )
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    broken.close()
    elsewhere.close()
    await base?.stop()
  })

  describe('a signature', () => {
    it('of an ordinary wallet is checked without any node', async () => {
      const signature = await owner().signMessage({ message: MESSAGE })
      await expect(
        createSignatures({ rpcUrls: new Map() }).check(owner().address, MESSAGE, signature),
      ).resolves.toBeUndefined()
      await expect(withNode(DOWN).check(owner().address, MESSAGE, signature)).resolves.toBeUndefined()
    })

    it('of a deployed smart wallet is accepted when the wallet says so', async () => {
      await wallets.deploy(owner().address, salt(1))
      const wallet = await wallets.addressOf(owner().address, salt(1))
      const signature = await owner().signMessage({ message: MESSAGE })
      await expect(withNode().check(wallet, MESSAGE, signature)).resolves.toBeUndefined()
      await expect(withNode().check(wallet, `${MESSAGE}\n`, signature)).rejects.toMatchObject(INVALID)
      const stranger = await account(base.accounts, 2).signMessage({ message: MESSAGE })
      await expect(withNode().check(wallet, MESSAGE, stranger)).rejects.toMatchObject(INVALID)
    })

    it('of a smart wallet that is not deployed yet is accepted through its factory', async () => {
      const wallet = await wallets.addressOf(owner().address, salt(2))
      const inner = await owner().signMessage({ message: MESSAGE })
      const wrapped = wallets.wrap(inner, owner().address, salt(2))
      await expect(withNode().check(wallet, MESSAGE, wrapped)).resolves.toBeUndefined()
      await expect(withNode().check(wallet, `${MESSAGE} `, wrapped)).rejects.toMatchObject(INVALID)
      await expect(withNode().check(account(base.accounts, 3).address, MESSAGE, wrapped)).rejects.toMatchObject(INVALID)
      // Bare, nobody can tell whose it is.
      await expect(withNode().check(wallet, MESSAGE, inner)).rejects.toMatchObject(INVALID)
    })

    it('wrapped with a factory that does not exist or fails is refused, not blamed on the node', async () => {
      const inner = await owner().signMessage({ message: MESSAGE })
      for (const address of [account(base.accounts, 4).address, base.dollar, wallets.factory]) {
        const wrapped = serializeErc6492Signature({ address, data: '0xdeadbeef', signature: inner })
        const wallet = await wallets.addressOf(owner().address, salt(3))
        await expect(withNode().check(wallet, MESSAGE, wrapped)).rejects.toMatchObject(INVALID)
      }
    })

    it('of an ordinary wallet is not accepted by way of the chain in another writing', async () => {
      const signature = await owner().signMessage({ message: MESSAGE })
      const zeroV = `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}`
      const upper = `0x${signature.slice(2).toUpperCase()}`
      for (const writing of [zeroV, upper]) {
        await expect(withNode().check(owner().address, MESSAGE, writing)).rejects.toMatchObject({
          ...INVALID,
          detail: 'The signature is not in its canonical form.',
        })
      }
      const wrapped = wallets.wrap(signature, owner().address, salt(4))
      await expect(withNode().check(owner().address, MESSAGE, wrapped)).rejects.toMatchObject(INVALID)
      const overHash = await owner().signMessage({ message: { raw: hashMessage(MESSAGE) } })
      await expect(withNode().check(owner().address, MESSAGE, overHash)).rejects.toMatchObject(INVALID)
    })

    it('that only a node could judge is neither accepted nor called invalid while the node is down', async () => {
      const wallet = await wallets.addressOf(owner().address, salt(1))
      const signature = await owner().signMessage({ message: MESSAGE })
      await expect(withNode(DOWN).check(wallet, MESSAGE, signature)).rejects.toMatchObject(UNCHECKED)
      await expect(withNode(brokenUrl()).check(wallet, MESSAGE, signature)).rejects.toMatchObject(UNCHECKED)
      const wrapped = wallets.wrap(signature, owner().address, salt(2))
      await expect(withNode(brokenUrl()).check(wallet, MESSAGE, wrapped)).rejects.toMatchObject(UNCHECKED)
    })

    it('of a smart wallet is one only where every network that it is deployed on says so', async () => {
      await wallets.deploy(owner().address, salt(5))
      const wallet = await wallets.addressOf(owner().address, salt(5))
      const signature = await owner().signMessage({ message: MESSAGE })
      const beside = (url: string) =>
        createSignatures({
          rpcUrls: new Map([
            ['eip155:1', url],
            [base.network, base.rpcUrl],
            ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', DOWN],
          ]),
        }).check(wallet, MESSAGE, signature)
      codeElsewhere = '0x'
      await expect(beside(urlOf(elsewhere))).resolves.toBeUndefined()
      // Whoever had one of its keys once may be the one who deploys it, here as well as there.
      codeElsewhere = '0xfe'
      await expect(beside(urlOf(elsewhere))).rejects.toMatchObject({
        ...INVALID,
        detail: expect.stringContaining('on one network, and not on another'),
      })
      await expect(beside(DOWN)).rejects.toMatchObject(UNCHECKED)
      await expect(beside(brokenUrl())).rejects.toMatchObject(UNCHECKED)
    })

    it('of keys that a wallet began with is not accepted through its factory where it may have others now', async () => {
      const wallet = await wallets.addressOf(owner().address, salt(6))
      const wrapped = wallets.wrap(await owner().signMessage({ message: MESSAGE }), owner().address, salt(6))
      const beside = (url: string) =>
        createSignatures({
          rpcUrls: new Map([
            ['eip155:1', url],
            [base.network, base.rpcUrl],
          ]),
        }).check(wallet, MESSAGE, wrapped)
      codeElsewhere = '0x'
      await expect(beside(urlOf(elsewhere))).resolves.toBeUndefined()
      codeElsewhere = '0xfe'
      await expect(beside(urlOf(elsewhere))).rejects.toMatchObject(INVALID)
      await expect(beside(DOWN)).rejects.toMatchObject(UNCHECKED)
      // Deployed here, too, it says so itself; there it still does not.
      await wallets.deploy(owner().address, salt(6))
      await expect(beside(urlOf(elsewhere))).rejects.toMatchObject(INVALID)
      codeElsewhere = '0x'
      await expect(beside(urlOf(elsewhere))).resolves.toBeUndefined()
    })

    it('that no ordinary wallet made is refused where no node is set up, and the answer says why', async () => {
      const signature = await account(base.accounts, 2).signMessage({ message: MESSAGE })
      await expect(
        createSignatures({ rpcUrls: new Map() }).check(owner().address, MESSAGE, signature),
      ).rejects.toMatchObject({
        ...INVALID,
        hint: expect.stringContaining('smart wallets'),
      })
    })
  })
})
