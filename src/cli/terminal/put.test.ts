import { PassThrough, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { end, put } from './put.ts'

it('writes everything to a slow reader and leaves no listeners behind', async () => {
  const out = new PassThrough({ highWaterMark: 1 })
  let read = ''
  out.on('data', (chunk) => {
    read += chunk
  })
  const before = out.eventNames().map((name) => [name, out.listenerCount(name)])
  for (let n = 0; n < 30; n++) await put(out, `line ${n}\n`)
  expect(read.split('\n')).toHaveLength(31)
  expect(out.eventNames().map((name) => [name, out.listenerCount(name)])).toEqual(before)
})

it('rejects when nothing can be written any more', async () => {
  const out = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => done(new Error('disk full')) })
  out.on('error', () => undefined)
  await expect(put(out, 'too much')).rejects.toThrow('disk full')
})

it('An end is told of what failed since the last text was taken.', async () => {
  const full = new Error('no room')
  const out = new Writable({ write: (_chunk, _encoding, done) => setImmediate(done, full) })
  out.on('error', () => undefined)
  await put(out, 'the last line')
  await setTimeout(20)
  await expect(end(out)).rejects.toBe(full)
})

it('An end waits until all is written.', async () => {
  const written: string[] = []
  const out = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk))
      setImmediate(done)
    },
  })
  await put(out, 'one')
  await put(out, 'two')
  await end(out)
  expect(written).toEqual(['one', 'two'])
})
