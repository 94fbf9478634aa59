import { expect, it } from 'vitest'
import { Reading } from './reading.ts'

const MEGABYTE = 1_000_000

it('a directory that sends without end is read no further than any answer is long', async () => {
  let sent = 0
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull: (controller) => {
        sent += 1
        if (sent > 60) controller.close()
        else controller.enqueue(new Uint8Array(MEGABYTE))
      },
    })
  const reading = new Reading({
    ...{ baseUrl: 'https://tollbook.example', folder: null },
    fetch: async () => new Response(body()),
  })
  await expect(reading.text('/v1/hosts')).rejects.toThrow('https://tollbook.example/v1/hosts sends too much')
  expect(sent).toBeLessThan(30)
})

it('a directory behind a proxy that says by date when to come back is waited for until then', async () => {
  const waitsMs: number[] = []
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
  const answers = [new Response('', { status: 429, headers: { 'Retry-After': inAnHour } }), new Response('here')]
  const reading = new Reading({
    ...{ baseUrl: 'https://tollbook.example', folder: null },
    fetch: async () => answers.shift() ?? new Response('', { status: 500 }),
    sleep: async (ms) => {
      waitsMs.push(ms)
    },
  })
  expect(await reading.text('/log/vkey')).toBe('here')
  // Two minutes at most.
  expect(waitsMs).toEqual([120_000])
})
