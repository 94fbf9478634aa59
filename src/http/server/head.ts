/** The few request headers that every answer looks at, read in one pass over the raw list. */
export interface Head {
  /** How many Host lines there were; more than one is refused. */
  readonly hosts: number
  readonly host: string
  /** `undefined` when absent; several lines are one list. */
  readonly accept: string | undefined
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly requestId: string | undefined
  readonly forwardedFor: string | undefined
  /** `undefined` when absent. The parser lets only one line of digits through. */
  readonly contentLength: string | undefined
  readonly chunked: boolean
  /** The `Transfer-Encoding`; several lines are one list. */
  readonly transferEncoding: string | undefined
  readonly upgrade: boolean
}

const joined = (before: string | undefined, value: string): string =>
  before === undefined ? value : `${before}, ${value}`

/**
 * Runs for every request, cached ones too, so it neither builds `incoming.headers` nor lower-cases a name whose length
 * fits none of ours. `incoming.headers` would also hide a second Host line.
 */
export function readHead(raw: readonly string[]): Head {
  let hosts = 0
  let host = ''
  let accept: string | undefined
  let acceptEncoding: string | undefined
  let ifNoneMatch: string | undefined
  let requestId: string | undefined
  let forwardedFor: string | undefined
  let contentLength: string | undefined
  let chunked = false
  let transferEncoding: string | undefined
  let upgrade = false
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const length = name.length
    if (length !== 4 && length !== 6 && length !== 7 && (length < 12 || length > 17)) continue
    const value = raw[at + 1] ?? ''
    switch (name.toLowerCase()) {
      case 'host':
        hosts += 1
        host = value
        break
      case 'accept':
        accept = joined(accept, value)
        break
      case 'upgrade':
        upgrade = true
        break
      case 'x-request-id':
        requestId = value
        break
      case 'if-none-match':
        ifNoneMatch = joined(ifNoneMatch, value)
        break
      case 'content-length':
        contentLength = value
        break
      case 'accept-encoding':
        acceptEncoding = joined(acceptEncoding, value)
        break
      case 'x-forwarded-for':
        forwardedFor = joined(forwardedFor, value)
        break
      case 'transfer-encoding':
        chunked = true
        transferEncoding = joined(transferEncoding, value)
        break
    }
  }
  return {
    hosts,
    host,
    accept,
    acceptEncoding,
    ifNoneMatch,
    requestId,
    forwardedFor,
    contentLength,
    chunked,
    transferEncoding,
    upgrade,
  }
}
