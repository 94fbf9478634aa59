import { textIn } from './answers/read.ts'
import type { Connection } from './connection.ts'
import { noAnswerOf, refusalIn } from './problem.ts'

/** Asks a directory and reads what it answers. Rejects with `NoAnswerError` when that does not come, or not all of it in time. */
export async function ask<T>(
  { baseUrl, fetch }: Connection,
  path: string,
  init: RequestInit,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  try {
    const answer = await fetch(`${baseUrl}${path}`, init)
    if (!answer.ok) throw refusalIn(answer.status, await textIn(answer))
    return await read(answer)
  } catch (error) {
    throw noAnswerOf(baseUrl, error)
  }
}
