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
})
