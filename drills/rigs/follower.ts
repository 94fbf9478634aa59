import { z } from 'zod'
import { ask, until } from './asking.ts'

/** Somebody who follows everything that is announced, and remembers what it heard. */
export interface Follower {
  /** Ids in the order in which they were heard; waits until it is silent. */
  stop(): Promise<readonly string[]>
}

const SILENT_MS = 1500
const PATIENCE_MS = 20_000

const announcement = z.looseObject({ id: z.string() })

export function follow(address: string): Follower {
  const heard: string[] = []
  let heardMs = performance.now()
  const leaving = new AbortController()
  const listening = (async () => {
    const answer = await fetch(`${address}/v1/events?format=stream`, { signal: leaving.signal })
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of answer.body ?? []) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue
        heard.push(announcement.parse(JSON.parse(line.slice('data: '.length))).id)
        heardMs = performance.now()
      }
    }
  })().catch(() => undefined)
  return {
    stop: async () => {
      await until(() => performance.now() - heardMs > SILENT_MS, PATIENCE_MS)
      leaving.abort()
      await listening
      return heard
    },
  }
}

const page = z.looseObject({ events: z.array(announcement), next: z.string().nullable() })

/** The ids of everything announced so far, as pages give them. */
export async function announced(address: string): Promise<string[]> {
  const ids: string[] = []
  let path: string | null = '/v1/events?format=json&limit=200'
  while (path !== null) {
    const reply = await ask(`${address}${path}`)
    if (reply?.status !== 200) throw new Error(`announcements: ${reply?.status}`)
    const { events, next } = page.parse(JSON.parse(reply.text))
    ids.push(...events.map(({ id }) => id))
    // Its own address is one that nobody answers.
    path = next === null ? null : new URL(next).pathname + new URL(next).search
  }
  return ids
}

/** What a follower missed, heard twice or in another order than it is stored. */
export function misheard(heard: readonly string[], stored: readonly string[]): string[] {
  const [first, last] = [heard[0], heard.at(-1)]
  if (first === undefined || last === undefined) return []
  const due = stored.slice(stored.indexOf(first), stored.indexOf(last) + 1)
  return due.length === heard.length
    ? heard.filter((id, n) => id !== due[n])
    : [`${heard.length} heard, ${due.length} stored`]
}
