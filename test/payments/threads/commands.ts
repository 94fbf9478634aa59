import { recoverMessageAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { tollbook } from '../../support/program.ts'
import { capture, x402v2 } from '../clients.ts'
import { HOST, PRICE, signedBody } from '../world.ts'
import { pathOf, type Threads } from './opened.ts'

/** The commands that buyers and operators give. */
export function itHasCommands(threads: Threads): void {
  const { at, get, send, appeared } = threads

  const post = (wallet: PrivateKeyAccount, ...more: string[]) =>
    tollbook(
      [
        'post',
        HOST,
        '--to',
        threads.world.server.address,
        '--key-file',
        threads.world.keyFile(wallet.address),
        ...more,
      ],
      threads.world.env,
    )

  it.each(['x402', 'mpp'])('post, and list the payment of %s', async (rail) => {
    const wallet = await threads.world.wallet()
    const before = await threads.world.income()
    const text = `By the command through ${rail}`
    const node = rail === 'mpp' ? ['--rpc-url', threads.world.tempo.url] : []
    const { code, out, err } = await post(wallet, '--rail', rail, '--text', text, '--yes', ...node)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`recipient: ${threads.world.payee.address}`)
    const { id } = await appeared(HOST, text)
    expect(out).toContain(`/v1/posts/${id}`)
    expect(await threads.world.income()).toBe(before + PRICE)
    const listed = await tollbook(['payments', '--state', 'settled'], threads.world.env)
    expect(listed.code).toBe(0)
    expect(listed.out.split('\n').find((line) => line.includes(id))).toMatch(
      new RegExp(`settled +${rail} +${HOST} .*verified on chain`),
    )
  })

  it('pay nothing above the limit or without a yes', async () => {
    const wallet = await threads.world.wallet()
    const before = await threads.world.income()
    const dear = await post(wallet, '--text', 'Too dear', '--max-cost', '0.01', '--yes')
    expect([dear.code, dear.err]).toEqual([1, expect.stringContaining('costs 0.050000 dollars')])
    const alone = await post(wallet, '--text', 'Unasked')
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('--yes')])
    expect(await threads.world.income()).toBe(before)
  })

  it('hide a post, and leave its place, date and signature', async () => {
    const wallet = await threads.world.wallet()
    const text = 'To be taken down'
    const body = await signedBody(wallet, { text })
    const request = await capture(x402v2, threads.world, wallet, at(pathOf('x402')), body)
    const { id } = (await send(request)).document
    const { code } = await tollbook(['hide', 'post', id, '--reason', 'personal data'], threads.world.env)
    expect(code).toBe(0)
    await expect.poll(async () => (await get(`/v1/posts/${id}`)).text).toBe('')
    const hidden = await get(`/v1/posts/${id}`)
    expect(hidden).toMatchObject({ hidden: { reason: 'personal data' } })
    expect(await recoverMessageAddress({ message: hidden.message, signature: hidden.signature })).toBe(wallet.address)
    const page = await (await fetch(at(`/hosts/${HOST}?format=md`))).text()
    expect(page).not.toContain(text)
    expect((await send(request)).document.text).toBe('')
  })
}
