import { createSocket, type Socket } from 'node:dgram'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress } from '../egress.ts'
import { createLookup, type Lookup } from './lookup.ts'

const A = 1
const CNAME = 5
const AAAA = 28

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

type Answer = readonly [type: number, data: Buffer]

function record(name: string, [type, data]: Answer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameBytes(name), fixed, data])
}

/** What the name server of this test says: a response code, and records of the chain that starts at the name. */
function answerTo(name: string, type: number): { code: number; records: Buffer[] } | undefined {
  const chain = (target: Answer): Buffer[] => [
    record(name, [CNAME, nameBytes('one.chain.example')]),
    record('one.chain.example', [CNAME, nameBytes('two.chain.example')]),
    record('two.chain.example', target),
  ]
  if (name === 'missing.example') return { code: 3, records: [] }
  if (name === 'broken.example') return { code: 2, records: [] }
  if (name === 'silent6.example' && type === AAAA) return undefined
  if (name === 'half.example') return type === A ? { code: 0, records: [] } : { code: 2, records: [] }
  if (name === 'inner.example' && type === A) return { code: 0, records: chain([A, Buffer.from([127, 0, 0, 1])]) }
  if (name === 'both.example' && type === AAAA) {
    const address = Buffer.alloc(16)
    address.writeUInt32BE(0x26064700, 0)
    return { code: 0, records: [record(name, [AAAA, address])] }
  }
  if ((name === 'both.example' || name === 'silent6.example') && type === A)
    return { code: 0, records: [record(name, [A, Buffer.from([1, 2, 3, 4])])] }
  return { code: 0, records: [] }
}

function respond(query: Buffer): Buffer | undefined {
  const labels: string[] = []
  let at = 12
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size))
    at += size + 1
  }
  const answer = answerTo(labels.join('.').toLowerCase(), query.readUInt16BE(at + 1))
  if (answer === undefined) return undefined
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | answer.code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(answer.records.length, 6)
  return Buffer.concat([head, query.subarray(12, at + 5), ...answer.records])
}

let server: Socket
let lookup: Lookup

beforeAll(async () => {
  server = createSocket('udp4', (query, from) => {
    const answer = respond(query)
    if (answer) server.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  lookup = createLookup({ servers: [`127.0.0.1:${server.address().port}`] })
})
afterAll(() => server.close())

const call = (name: string) =>
  createEgress({ connectTo: [], userAgent: 'test', lookup }).fetch({
    method: 'GET',
    url: `http://${name}/`,
    deadlineMs: 5000,
    maxBodyBytes: 1000,
  })

describe('createLookup', () => {
  it('gives the addresses of both families', async () => {
    expect([...(await lookup('both.example'))].sort()).toEqual(['1.2.3.4', '2606:4700::'])
  })

  it('does not wait for a name server that never answers for IPv6', async () => {
    expect(await lookup('silent6.example')).toEqual(['1.2.3.4'])
  })

  it('rejects with the resolver’s word for a missing name', async () => {
    await expect(lookup('missing.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
})

describe('a call by name', () => {
  it('is blocked when a chain of aliases ends at an inner address', async () => {
    expect(await call('inner.example')).toMatchObject({ ok: false, error: 'blocked_address', remoteAddress: null })
  })

  it('tells a missing name, a name without address and a failing name server apart', async () => {
    expect(await call('missing.example')).toMatchObject({ error: 'dns_not_found' })
    expect(await call('empty.example')).toMatchObject({ error: 'dns_not_found' })
    expect(await call('broken.example')).toMatchObject({ error: 'dns_failure' })
    expect(await call('half.example')).toMatchObject({ error: 'dns_failure' })
  })
})
