import type { IncomingMessage } from 'node:http'
import type { Problem } from '../../domain/problem.ts'
import { headFault } from './edges.ts'
import { type Head, readHead } from './head.ts'

/** A head, and what is wrong with it. */
export interface ReadHead {
  readonly head: Head
  readonly fault: Problem | undefined
}

interface Known extends ReadHead {
  readonly raw: readonly string[]
  readonly method: string
  readonly version: string
}

/** What is looked at of a request. */
type Asked = Pick<IncomingMessage, 'rawHeaders' | 'method' | 'httpVersion'> & { readonly socket: object }

/** In characters; longer heads are read each time and kept by nobody. */
const LONGEST_KNOWN = 2048

/**
 * Reads and checks the heads of requests. A client sends the same lines again and again on its connection: comparing them costs
 * a tenth of reading them (measured).
 */
export class KnownHeads {
  readonly #last = new WeakMap<object, Known>()

  read({ socket, rawHeaders: raw, method = '', httpVersion: version }: Asked): ReadHead {
    const last = this.#last.get(socket)
    if (last !== undefined && last.method === method && last.version === version && isSame(last.raw, raw)) return last
    const head = readHead(raw)
    const known = { raw, method, version, head, fault: headFault(method, version, head) }
    if (known.fault === undefined && lengthOf(raw) <= LONGEST_KNOWN) this.#last.set(socket, known)
    return known
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
  return true
}

const lengthOf = (raw: readonly string[]): number => raw.reduce((sum, text) => sum + text.length, 0)
