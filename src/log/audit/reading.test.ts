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
