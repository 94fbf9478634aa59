import { expect, it } from 'vitest'
import { bounded } from './bounded.ts'

/** An answer without end, and how many kilobytes of it were asked for. */
function endless(): { readonly answer: Response; taken(): number } {
  let taken = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += 1
      controller.enqueue(new Uint8Array(1024).fill(0x78))
    },
  })
  return { answer: new Response(body), taken: () => taken }
}

it('an answer is read whole up to its bound, and no further than that', async () => {
  const whole = new Response('abc')
  expect(await bounded(whole, 3).text()).toBe('abc')
  await expect(bounded(new Response('abcd'), 3).text()).rejects.toThrow(RangeError)
  const { answer, taken } = endless()
  await expect(bounded(answer, 8 * 1024).arrayBuffer()).rejects.toThrow('longer than 8192 bytes')
  expect(taken()).toBeLessThan(16)
})

it('an answer without a body is read as nothing', async () => {
  expect(await bounded(new Response(null, { status: 204 }), 1).text()).toBe('')
})
