import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { agreed } from './terminal.ts'

/** What comes of a question that is answered so, and what was asked. */
async function answered(...said: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = agreed('Pay? ', { input, output })
  for (const text of said) input.write(text)
  input.end()
  return { isAgreed: await answer, asked: String(output.read()) }
}

it('a yes is a yes, and anything else is a no', async () => {
  for (const yes of ['y\n', 'YES\n', '  yes \n'])
    expect(await answered(yes)).toEqual({ isAgreed: true, asked: 'Pay? ' })
  for (const no of ['\n', 'n\n', 'yes please\n', 'maybe\nyes\n'])
    expect(await answered(no)).toMatchObject({ isAgreed: false })
})

it('who leaves without an answer has said no', async () => {
  expect(await answered()).toEqual({ isAgreed: false, asked: 'Pay? ' })
})
