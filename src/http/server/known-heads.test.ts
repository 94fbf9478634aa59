import fc from 'fast-check'
import { expect, it } from 'vitest'
import { headFault } from './edges.ts'
import { readHead } from './head.ts'
import { KnownHeads } from './known-heads.ts'

it('What is read on a connection is what reading each head by itself gives, whatever came before.', () => {
  const line = fc.constantFrom('Host', 'host', 'Accept', 'Content-Length', 'Upgrade', 'X-Request-Id')
  const raw = fc.array(fc.tuple(line, fc.constantFrom('a', '0', '7', 'b/c')), { maxLength: 3 })
  const request = fc.record({
    socket: fc.constantFrom('one', 'other'),
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'TRACE'),
    httpVersion: fc.constantFrom('1.1', '1.0', '2.0'),
    rawHeaders: raw.map((pairs) => pairs.flat()),
  })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 8 }), (requests) => {
      const heads = new KnownHeads()
      const sockets = { one: {}, other: {} }
      // Each twice in a row, as clients do.
      for (const each of requests.flatMap((one) => [one, { ...one, rawHeaders: [...one.rawHeaders] }])) {
        const { method, httpVersion, rawHeaders } = each
        const { head, fault } = heads.read({ ...each, socket: sockets[each.socket] })
        expect(head).toEqual(readHead(rawHeaders))
        expect(fault?.detail).toBe(headFault(method, httpVersion, readHead(rawHeaders))?.detail)
      }
    }),
  )
})
