import type { Answer } from './answer.ts'
import { compress } from './cache/page.ts'
import { chooseCoding } from './negotiation.ts'
import type { Head } from './server/head.ts'

/** A page that is made for one request alone, in the coding that the request accepts; anything else as it is. */
export async function compressed(head: Head, answer: Answer): Promise<Answer> {
  if (!answer.headers['Content-Type']?.startsWith('text/html')) return answer
  const vary = [answer.headers.Vary, 'Accept-Encoding'].filter((name) => name !== undefined).join(', ')
  const headers = { ...answer.headers, Vary: vary }
  const coding = chooseCoding(head.acceptEncoding) ?? 'identity'
  if (coding === 'identity') return { ...answer, headers }
  const body = await compress[coding](Buffer.from(answer.body))
  return { ...answer, headers: { ...headers, 'Content-Encoding': coding }, body }
}
