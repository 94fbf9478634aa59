import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { directoryOf } from '../../../test/support/directory.ts'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { aReview, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { HERE, HOST, openSelling, ROUTE } from '../../../test/support/selling.ts'
import { createClient } from '../../client/client.ts'
import type { WebServer } from '../../http/server/server.ts'
import { startSample } from '../../http/testing/samples.ts'
import { openSqlite } from '../../store/engines/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { hideCommand } from '../hide.ts'
import { commandContext } from '../testing/command-context.ts'
import { verifyCommand } from '../verify.ts'
import { claimCommand } from './claim.ts'
import { sayCommand } from './say.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const keyFile = join(folder, 'wallet.key')
writeFileSync(keyFile, '7'.repeat(64), { mode: 0o600 })
const { address: WALLET } = privateKeyToAccount(`0x${'7'.repeat(64)}`)

let store: Store
let web: WebServer
let opened = 0
let selling: Awaited<ReturnType<typeof openSelling>>
beforeEach(async () => {
  store = await openSqlite(join(folder, `store-${opened++}`))
  selling = await openSelling(store)
  const review = aReview({ ...aRoute({ scheme: 'http' }), url: `http://${HOST}/v1/weather` })
  await saveEvidence(store, evidence({ reviews: [review] }))
  web = await startSample({ directory: directoryOf(store), sellers: selling.sellers, nowUs: () => selling.clock.us })
})
afterEach(async () => {
  await web.drain(1000)
  await store.close()
})

const base = (): string => `http://127.0.0.1:${web.port}`

async function run(...argv: string[]): Promise<{ code: number; out: string }> {
  const { context, said } = commandContext({ openStore: async () => ({ ...store, close: async () => undefined }) })
  const deps = { baseUrl: base(), fetch: globalThis.fetch, nowMs: () => selling.clock.us / 1000 }
  const commands = {
    claim: claimCommand(deps),
    say: sayCommand(deps),
    hide: hideCommand(() => NOON_US),
    verify: verifyCommand(globalThis.fetch, () => Promise.reject(new Error('nobody is asked'))),
  }
  const [name, ...rest] = argv
  const command = Object.entries(commands).find(([known]) => known === name)?.[1]
  const code = (await command?.run(rest, context)) ?? 2
  return { code, out: said.out }
}

const signing = ['--key-file', keyFile, '--directory', HERE]

describe('tollbook claim and tollbook say', () => {
  it('say what is missing while nothing proves the claim', async () => {
    await expect(run('claim', HOST, ...signing)).rejects.toThrow(/Nothing proves that api\.seller\.example is/)
    await expect(run('claim', 'SHOP.seller.test.', ...signing)).rejects.toMatchObject({ slug: 'refused' })
    await expect(run('say', HOST, 'contact', '--text', 'us', ...signing)).rejects.toThrow(/has not proved to speak/)
  })

  it('claim a host, answer a review so that everybody sees it, and verify it without trust', async () => {
    await selling.challenge([WALLET], 3)
    const claimed = await run('claim', HOST, ...signing)
    expect(claimed.out).toContain(`  claim\n  ${HOST}\n  ${WALLET}\n  directory ${HERE}\n`)
    expect(claimed.out).toContain(`${WALLET} speaks for ${HOST}. What proves it:\n`)
    const { out } = await run('say', HOST, 'reply', 'review', 'review-1', '--text', 'Fixed today.', ...signing)
    const href = /^Said: (\S+)$/m.exec(out)?.[1] ?? ''
    const client = createClient({ baseUrl: base() })
    const host = await client.host(HOST)
    expect(host.seller?.claims[0]).toMatchObject({ wallet: WALLET, holds: true })
    const reviews = host.routes.flatMap((route) => route.reviews)
    expect(reviews[0]?.reply).toMatchObject({ kind: 'reply', untrusted: true, text: 'Fixed today.' })
    const { statements } = await client.statements(HOST)
    const id = statements[0]?.id ?? ''
    expect(href.endsWith(`/v1/statements/${id}`)).toBe(true)
    const verified = await run('verify', 'statement', `${base()}/v1/statements/${id}`)
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('Verified: the statement is as')])
    await run('hide', 'statement', id, '--reason', 'personal data')
    expect((await client.statement(id)).hidden).toMatchObject({ reason: 'personal data' })
    expect((await run('verify', 'statement', `${base()}/v1/statements/${id}`)).out).toContain('only its digest')
  })

  it('do every other thing that a seller can say', async () => {
    await selling.challenge([WALLET], 3)
    await run('claim', HOST, ...signing)
    const [method = '', url = '', rail = ''] = ROUTE.split(' ')
    for (const words of [
      ['correct', method, url, rail, 'bazaar', '--text', 'It costs 0.02.'],
      ['retire', method, url, rail],
      ['probe', method, url, rail],
      ['contact', '--text', 'mail us'],
      ['retire'],
    ]) {
      selling.clock.us += 1_000_000
      expect((await run('say', HOST, ...words, ...signing)).code).toBe(0)
    }
    expect((await createClient({ baseUrl: base() }).host(HOST)).seller?.retired).toMatchObject({ moved_to: null })
    await expect(run('say', HOST, 'reply', 'review', 'review-1', ...signing)).rejects.toThrow('the text is empty')
    await expect(run('say', HOST, 'shout', ...signing)).rejects.toThrow('<kind>: expected one of reply, ')
    await expect(run('say', HOST, 'moved', 'api.shop.example', ...signing)).rejects.toThrow(
      /No listing source has named/,
    )
  })

  it('are what any HTTP client can do with the lines that the directory writes out', async () => {
    await selling.challenge([WALLET], 3)
    const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
    const message = z.object({ message: z.string(), signed_at: z.string() })
    const lines = async (path: string, query: Record<string, string>) =>
      message.parse(await (await fetch(`${base()}${path}?${new URLSearchParams(query)}`)).json())
    const send = (path: string, body: object) =>
      fetch(`${base()}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const claim = await lines('/v1/claims/message', { host: HOST, wallet: WALLET })
    const claimed = await send('/v1/claims', {
      ...{ host: HOST, wallet: WALLET, signed_at: claim.signed_at },
      signature: await account.signMessage({ message: claim.message }),
    })
    expect([claimed.status, await claimed.json()]).toMatchObject([201, { holds: true, proofs: [{ proof: 'payee' }] }])
    const statements = `/v1/hosts/${HOST}/statements`
    const said = { kind: 'contact', about: HOST, text: 'mail us' }
    const statement = await lines(`${statements}/message`, said)
    const body = {
      ...{ ...said, wallet: WALLET, signed_at: statement.signed_at },
      signature: await account.signMessage({ message: statement.message }),
    }
    const sent = await send(statements, body)
    expect([sent.status, (await send(statements, body)).status]).toEqual([201, 200])
    const { pathname } = new URL(sent.headers.get('location') ?? '')
    expect(await (await fetch(`${base()}${pathname}`)).json()).toMatchObject({ message: statement.message })
    const refused = await send(statements, { ...body, text: 'other' })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      401,
      'application/problem+json; charset=utf-8',
    ])
    const page = await (await fetch(`${base()}/hosts/${HOST}/statements`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('<blockquote dir="auto" tabindex="-1">mail us</blockquote>')
  })
})
