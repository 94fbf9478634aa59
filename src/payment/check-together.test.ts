import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { text58 } from '../wire/base58.ts'
import { recoverKey } from '../wire/recovery/recover-key.mjs'
import { checkSignature, keyQuestion } from '../wire/signature.ts'
import { checkTogether, type Signed } from './check-together.ts'
import { RecoveringThread, recoverTogether } from './recovery-threads.ts'

const accounts = Array.from({ length: 5 }, () => privateKeyToAccount(generatePrivateKey()))
const solana = generateKeyPairSync('ed25519')
const solanaWallet = text58(solana.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))

/** What wallets send, and what is sent in their names. */
async function sent(): Promise<Signed[]> {
  const all: Signed[] = []
  for (const [n, account] of accounts.entries()) {
    const message = `review ${n}`
    const signature = await account.signMessage({ message })
    const v = signature.slice(-2)
    const stranger = accounts[(n + 1) % accounts.length]?.address ?? ''
    all.push({ wallet: account.address, message, signature })
    all.push({ wallet: account.address.toLowerCase(), message, signature })
    all.push({ wallet: account.address, message: `${message}.`, signature })
    all.push({ wallet: stranger, message, signature })
    all.push({ wallet: solanaWallet, message, signature })
    all.push({ wallet: account.address, message, signature: `0x${signature.slice(2).toUpperCase()}` })
    all.push({ wallet: account.address, message, signature: `${signature.slice(0, -2)}${v === '1b' ? '1c' : '1b'}` })
    all.push({ wallet: account.address, message, signature: `${signature.slice(0, -2)}${v === '1b' ? '00' : '01'}` })
    all.push({ wallet: account.address, message, signature: `0x${'00'.repeat(64)}1b` })
    all.push({ wallet: account.address, message: '\ud800', signature })
    all.push({ wallet: account.address, message, signature: '0x1234' })
    const own = sign(null, Buffer.from(message), solana.privateKey)
    all.push({ wallet: solanaWallet, message, signature: text58(own) })
    all.push({ wallet: solanaWallet, message: `${message}.`, signature: text58(own) })
  }
  return all
}

it('finds of many signatures what it finds of each, in whatever order and number they come', async () => {
  const all = await sent()
  const alone = ({ wallet, message, signature }: Signed) => checkSignature(wallet, message, signature)
  expect(new Set(all.map(alone))).toEqual(new Set(['valid', 'invalid', 'not-canonical', 'needs-chain']))
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(all), async (some) => {
      expect(await checkTogether(some)).toEqual(some.map(alone))
    }),
    { numRuns: 30 },
  )
})

/** Forms in which a key can be asked for. */
async function questions() {
  const found = (await sent()).flatMap(({ message, signature }) => keyQuestion(message, signature) ?? [])
  expect(found.length).toBeGreaterThan(20)
  return found
}

it('finds in other threads the keys that it finds here', async () => {
  const asked = await questions()
  const keys = await recoverTogether(asked)
  for (const question of asked) {
    const here = recoverKey(question.digest, question.signature, question.parity)
    expect(keys.get(question)).toEqual(here === null ? undefined : new Uint8Array(here))
  }
})

it('waits for no thread that cannot be started', async () => {
  const thread = new RecoveringThread(new URL('./not-there.mjs', import.meta.url))
  expect(await thread.recover(await questions())).toEqual([])
  expect(await thread.recover(await questions())).toEqual([])
})
