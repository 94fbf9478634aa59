import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import type { Head } from './head.ts'

/** In bytes, counted while the body streams in as well. */
export const MOST_BODY_BYTES = 16 * 1024
export const LONGEST_TARGET = 4096

const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/**
 * What Node would answer although two programs could read it differently (all measured): checked on every request,
 * before cached bytes too. Everything refused here also closes its connection.
 */
export function headFault(method: string, version: string, head: Head): Problem | undefined {
  if (version !== '1.1' && version !== '1.0') {
    return problem('bad-request', 'The request line names another version of HTTP than 1.1.')
  }
  if (head.hosts !== 1) {
    if (head.hosts > 1) return problem('bad-request', 'The request has more than one Host header.')
    if (version === '1.1') return problem('bad-request', 'The request has no Host header.')
  } else if (!HOST.test(head.host)) return problem('bad-request', 'The Host header is not a host name.')
  if (head.upgrade) return problem('upgrade-refused', 'The request asks to switch to another protocol.')
  if (head.transferEncoding !== undefined && head.transferEncoding.trim().toLowerCase() !== 'chunked') {
    return problem('bad-request', 'The body is sent in another transfer coding than chunked.')
  }
  if (!head.chunked && head.contentLength === undefined) return undefined
  const bytes = Number(head.contentLength ?? 0)
  if ((method === 'GET' || method === 'HEAD') && (head.chunked || bytes > 0)) {
    return problem('bad-request', `A ${method} request carries no body.`)
  }
  return bytes > MOST_BODY_BYTES ? tooLarge() : undefined
}

export const tooLarge = (): Problem => problem('body-too-large', `The body has more than ${MOST_BODY_BYTES} bytes.`)

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/** What is wrong with the request target itself. Cached answers are found by targets that passed here before. */
export function targetFault(target: string, head: Head): Problem | undefined {
  if (target.length > LONGEST_TARGET) {
    return problem('target-too-long', `The address of the request has more than ${LONGEST_TARGET} characters.`)
  }
  if (!/^[\x21-\x7e]+$/.test(target))
    return problem('bad-request', 'The address holds characters that are not percent-encoded.')
  if (/[\\#]/.test(target)) return problem('bad-request', 'The address holds a backslash or a fragment.')
  if (!target.startsWith('/')) {
    const authority = ABSOLUTE.exec(target)?.[1]
    if (authority === undefined) return problem('bad-request', 'The address is neither a path nor an http address.')
    if (authority.toLowerCase() !== head.host.toLowerCase()) {
      return problem('bad-request', 'The address names another host than the Host header.')
    }
  }
  return target.includes('%') ? encodingFault(target) : undefined
}

function encodingFault(target: string): Problem | undefined {
  let text: string
  try {
    text = decodeURIComponent(target)
  } catch {
    return problem('bad-request', 'The address is not correctly percent-encoded UTF-8.')
  }
  // No name, path or cursor holds these, and Postgres refuses to take a NUL at all.
  return /\p{Cc}/u.test(text)
    ? problem('bad-request', 'The address holds control characters.', {
        hint: 'Leave them out. A text of several lines that is to be signed is named by its SHA-256, as text_sha256.',
      })
    : undefined
}
