import { describe, expect, it } from 'vitest'
import { STATEMENT_KINDS } from '../../domain/seller/statement.ts'
import { parseStatementBody } from './body.ts'

const HOST = 'api.example.com'
const ROUTE = `GET https://${HOST}/v1/x x402`
const ABOUT = { reply: 'review r1', correct: ROUTE, retire: HOST, moved: 'b.example', contact: HOST, probe: ROUTE }
const signed = { wallet: `0x${'1'.repeat(40)}`, signature: '0x', signed_at: '2026-11-14T12:34:56Z' }

describe('the body of a statement', () => {
  it.each(STATEMENT_KINDS)('has no text where the kind says it all, and one where it does not: %s', (kind) => {
    const read = (text: { text?: string }) =>
      parseStatementBody({ kind, about: ABOUT[kind], ...text, ...signed }, HOST, [])
    expect(read({ text: 'So it is.' }).text).toBe('So it is.')
    if (['retire', 'moved', 'probe'].includes(kind)) expect([read({}).text, read({ text: '' }).text]).toEqual(['', ''])
    else {
      expect(() => read({})).toThrow('The field text is missing.')
      expect(() => read({ text: '' })).toThrow('The text is empty.')
    }
  })

  it.each([
    `GET https://${HOST}/v1/x#1 x402`,
    `GET HTTPS://${HOST}/v1/x x402`,
    `GET https://${HOST}:443/v1/x x402 bazaar`,
    `GET https://API.example.com/v1/x x402`,
  ])('names a route as it is listed, and in no other spelling: %s', (about) => {
    const read = () => parseStatementBody({ kind: 'correct', about, text: 'So it is.', ...signed }, HOST, [])
    expect(read).toThrow(`the address of the route is written as it is listed, https://${HOST}/v1/x`)
  })
})
