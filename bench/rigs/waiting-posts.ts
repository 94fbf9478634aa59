import { randomBytes } from 'node:crypto'
import { type ClientRequest, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { formatSignedAt } from '../../src/wire/signed-at.ts'
import { postMessage } from '../../src/wire/signed-lines.ts'

/** Posts that wait for their payment; whoever is answered asks again at once. */
export interface WaitingPosts {
  underWay(): number
  stop(): void
}

interface Post {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `each` posts that are being settled through x402, and as many that wait for a demand of mpp. */
export async function waitingPosts(port: number, host: string, payee: string, each: number): Promise<WaitingPosts> {
  const posts = [
    ...(await Promise.all(Array.from({ length: each }, (_, n) => paidPost(host, payee, `Post ${n}`)))),
    ...Array.from({ length: each }, () => ({ path: `/mpp/v1/thread/${host}`, headers: {}, body: '{}' })),
  ]
  const underWay = new Set<ClientRequest>()
  let isStopped = false
  const ask = (post: Post): Promise<void> =>
    new Promise((resolve) => {
      const { path, headers, body } = post
      const asked = request({ port, host: '127.0.0.1', path, method: 'POST', headers, agent: false })
      underWay.add(asked)
      // Answered, refused or cut off: it is over then.
      asked.once('response', (answer) => answer.resume()).once('error', () => undefined)
      asked.once('close', () => {
        underWay.delete(asked)
        resolve()
      })
      asked.end(body)
    })
  const keepAsking = async (post: Post): Promise<void> => {
    while (!isStopped) {
      await ask(post)
      // An answer at once would be one that nobody waited for; never ask in a tight loop.
      await wait(10)
    }
  }
  for (const post of posts) void keepAsking(post)
  return {
    underWay: () => underWay.size,
    stop: () => {
      isStopped = true
      for (const asked of underWay) asked.destroy()
    },
  }
}

/** Signed as the directory checks by itself; the payment's own signature is for the facilitator, which accepts any here. */
async function paidPost(host: string, payee: string, text: string): Promise<Post> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const nowS = Math.floor(Date.now() / 1000)
  const signedAt = formatSignedAt(Date.now() * 1000)
  const signature = await wallet.signMessage({ message: postMessage({ host, text, signedAt }) })
  const authorization = {
    from: wallet.address,
    to: payee,
    value: '50000',
    validAfter: String(nowS - 60),
    validBefore: String(nowS + 3600),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  }
  const payload = { authorization, signature: `0x${'11'.repeat(65)}` }
  const payment = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload }
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  return {
    path: `/v1/thread/${host}`,
    headers: { 'content-type': 'application/json', 'x-payment': header },
    body: JSON.stringify({ text, wallet: wallet.address, signature, signed_at: signedAt }),
  }
}
