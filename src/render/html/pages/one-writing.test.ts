import { describe, expect, it } from 'vitest'
import { STATEMENT_KINDS } from '../../../domain/seller/statement.ts'
import { HOST, NOON_US, post, review, SITE } from '../../testing/sample-views.ts'
import { logPage } from './log.tsx'
import { postPage } from './post.tsx'
import { reviewPage } from './review.tsx'
import { sellersPage } from './sellers.tsx'

const SIGNED = { textSha256: 'ab'.repeat(32), message: 'lines' }
const reviewed = (more: Parameters<typeof review>[0] = {}) =>
  reviewPage(SITE, { host: HOST, review: { ...review(more), receipt: null }, events: [], ...SIGNED }, NOON_US)
const posted = (more: Parameters<typeof post>[0] = {}) => postPage(SITE, { host: HOST, post: post(more), ...SIGNED })

describe('the page of one review or post', () => {
  it('leads to its place in the log, once it has one', () => {
    const link = '<a class="by" href="/log/proof/128">in the log at 128</a>'
    expect([reviewed({ logIndex: 128 }), posted({ logIndex: 128 })]).toEqual([
      expect.stringContaining(link),
      expect.stringContaining(link),
    ])
    expect([reviewed(), posted()].join('')).not.toContain('in the log at')
  })

  it('has what its seller pastes to answer it', () => {
    const command = (about: string) =>
      `npx tollbook say ${HOST} reply ${about} --text '…' --key-file wallet.key --to https://tollbook.example`
    expect(reviewed({ id: 'r-1' }).replaceAll('&#39;', "'")).toContain(command('review r-1'))
    expect(posted({ id: 'p-1' }).replaceAll('&#39;', "'")).toContain(command('post p-1'))
  })
})

describe('the page for sellers', () => {
  it('has a command for each thing that they can say of their host', () => {
    const says = sellersPage(SITE, HOST)
      .replaceAll('&#39;', "'")
      .matchAll(new RegExp(`tollbook say ${HOST} (\\w+)`, 'g'))
    expect([...says].map(([, kind]) => kind)).toEqual([...STATEMENT_KINDS])
  })
})

describe('the page of the log', () => {
  it('has what to paste: for all of it, for one entry, and for a witness of this very log', () => {
    const view = {
      ...{ origin: 'tollbook.example/log', vkey: 'tollbook.example/log+c4e4c177+AeSk', size: 3, root: 'abc=' },
      ...{ grownUs: NOON_US, cosignatures: [], historyLeft: 0, fault: null, nowUs: NOON_US },
    }
    const html = logPage(SITE, view).replaceAll('&#39;', "'")
    const commands = html.slice(html.indexOf('<code>') + '<code>'.length, html.indexOf('</code>')).split('\n')
    expect(commands).toEqual([
      'curl -sO https://tollbook.example/log/verify.mjs &amp;&amp; node verify.mjs https://tollbook.example',
      'node verify.mjs https://tollbook.example 0',
      'npx tollbook audit https://tollbook.example',
      "npx tollbook witness --name witness.example --listen 127.0.0.1:8403 'tollbook.example/log+c4e4c177+AeSk'",
    ])
  })
})
