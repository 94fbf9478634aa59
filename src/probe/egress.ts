import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { Method } from '../domain/route.ts'
import type { EgressAnswer } from './egress/answer.ts'
import { Call } from './egress/call.ts'
import { decoded } from './egress/codings.ts'
import { type ConnectTo, connectToFor } from './egress/connect-to.ts'
import { EgressFault, egressErrorOf } from './egress/errors.ts'
import { createLookup, type Lookup } from './egress/lookup.ts'
import { type Dial, dialTcp } from './egress/socket.ts'
import { isPortAllowed, readTarget } from './egress/target.ts'

export type { EgressAnswer, EgressFailure, EgressReply, EgressSuccess, HeaderPair, Timings } from './egress/answer.ts'
export { type ConnectTo, parseConnectTo } from './egress/connect-to.ts'
export { EGRESS_ERROR_MEANINGS, type EgressError } from './egress/errors.ts'
export type { Lookup } from './egress/lookup.ts'
export type { Dial } from './egress/socket.ts'

export interface EgressOptions {
  /** The operator's `CONNECT_TO`: the only way to an address that is not public. */
  readonly connectTo: readonly ConnectTo[]
  /** Names the prober and where to read about it. */
  readonly userAgent: string
  /** Ports beside 80 and 443 that the operator allows for every call. */
  readonly allowPorts?: readonly number[]
  /** Certificates in PEM, trusted beside the usual ones. */
  readonly ca?: readonly string[]
  readonly lookup?: Lookup
  readonly dial?: Dial
  /** Milliseconds, never going back. */
  readonly clock?: () => number
}

export interface EgressRequest {
  readonly method: Method
  readonly url: string
  /** `Host`, `User-Agent`, `Accept-Encoding` and `Connection` are the door's own. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For everything together: lookup, connection, handshake, informational answers, headers, body. */
  readonly deadlineMs: number
  readonly maxBodyBytes: number
  /** What becomes of a longer body: cut, for evidence (default), or an error, for documents that must be whole. */
  readonly overflow?: 'cut' | 'error'
  /** The address is a listed route: its own port is called, even one beside 80 and 443. */
  readonly isListed?: boolean
  /** Asked just before an address is connected to; `false` ends the call with nothing sent. */
  readonly admit?: (address: string) => boolean
}

/** The only door to strangers: their addresses are checked, their answers bounded. Every call has a connection of its own. */
export interface Egress {
  /** Never rejects: whatever goes wrong is an answer with an `error`. */
  fetch(request: EgressRequest): Promise<EgressAnswer>
}

const OWN_HEADERS = new Set(['host', 'user-agent', 'accept-encoding', 'connection'])

function headersOf(request: EgressRequest, userAgent: string): Readonly<Record<string, string>> {
  const given = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  const kept = Object.fromEntries(given.filter(([name]) => !OWN_HEADERS.has(name)))
  return { accept: '*/*', ...kept, 'user-agent': userAgent, 'accept-encoding': 'identity' }
}

export function createEgress(options: EgressOptions): Egress {
  const { connectTo, userAgent, allowPorts = [], lookup = createLookup(), dial = dialTcp } = options
  const clock = options.clock ?? (() => performance.now())
  // Certificates that are given are read at once, so that whoever gave bad ones is told, and not each call.
  let trusted = options.ca && createSecureContext({ ca: [...rootCertificates, ...options.ca] })
  const trust = (): SecureContext => {
    trusted ??= createSecureContext()
    return trusted
  }

  async function run(call: Call, request: EgressRequest): Promise<void> {
    const { admit } = request
    const dialAdmitted: Dial = (address, port) => {
      if (admit?.(address) === false) throw new EgressFault('blocked_address', 'not admitted')
      return dial(address, port)
    }
    const target = readTarget(request.url)
    const route = connectToFor(connectTo, target.hostname, target.port)
    if (route) {
      await call.connect([route.address], route.addressPort, dialAdmitted, true)
    } else {
      if (!isPortAllowed(target.port, allowPorts, request.isListed ?? false))
        throw new EgressFault('blocked_address', `port ${target.port} is not called`)
      await call.connect(await call.resolve(target, lookup), target.port, dialAdmitted, false)
    }
    if (target.secure) await call.secure(target.hostname, trust())
    const { method, body = null, maxBodyBytes, overflow = 'cut' } = request
    await call.exchange(target, { method, headers: headersOf(request, userAgent), body, maxBodyBytes, overflow })
  }

  const answerTo = async (call: Call, request: EgressRequest): Promise<EgressAnswer> => {
    try {
      await run(call, request)
      return call.success()
    } catch (error) {
      return call.failure(egressErrorOf(error))
    } finally {
      call.end()
    }
  }

  return {
    async fetch(request) {
      // Reads more than a hundred certificates, for which nobody waits whose calls need none, and no call is timed.
      if (/^https:/i.test(request.url)) trust()
      const { deadlineMs, maxBodyBytes, overflow = 'cut' } = request
      return await decoded(await answerTo(new Call(deadlineMs, clock), request), { maxBodyBytes, overflow })
    },
  }
}
