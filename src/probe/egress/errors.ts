/** Why a call to a stranger gave no whole answer: the closed vocabulary of probe entries and sweeps. */
export const EGRESS_ERRORS = [
  'dns_not_found',
  'dns_failure',
  'blocked_address',
  'connection_refused',
  'connection_reset',
  'connect_timeout',
  'tls_expired',
  'tls_name_mismatch',
  'tls_untrusted',
  'tls_protocol',
  'headers_overflow',
  'body_overflow',
  'deadline',
  'protocol_error',
] as const
export type EgressError = (typeof EGRESS_ERRORS)[number]

/** In words, for people who see the code in an entry. */
export const EGRESS_ERROR_MEANINGS: Readonly<Record<EgressError, string>> = {
  dns_not_found: 'The host name does not exist or has no address.',
  dns_failure: 'The name servers did not answer, or answered with a failure.',
  blocked_address: 'The address is not a public one, or its form or port is refused; nothing was sent.',
  connection_refused: 'The host refused the connection.',
  connection_reset: 'The host closed the connection before its answer was complete.',
  connect_timeout: 'No connection could be made in time, or no way leads to the host.',
  tls_expired: 'The certificate has expired.',
  tls_name_mismatch: 'The certificate is for another name.',
  tls_untrusted: 'The certificate is not signed by a trusted authority.',
  tls_protocol: 'No secure connection could be agreed on.',
  headers_overflow: 'The headers are larger than 128 KiB or more than 500 lines.',
  body_overflow: 'The body is larger than this call takes.',
  deadline: 'The answer was not complete within the time of this call.',
  protocol_error: 'The answer is not valid HTTP/1.1.',
}

/** A failure already named in the vocabulary. */
export class EgressFault extends Error {
  constructor(
    readonly kind: EgressError,
    message: string,
  ) {
    super(message)
    this.name = 'EgressFault'
  }
}

const BY_CODE: Readonly<Record<string, EgressError>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'connect_timeout',
  EHOSTUNREACH: 'connect_timeout',
  ENETUNREACH: 'connect_timeout',
  EADDRNOTAVAIL: 'connect_timeout',
  CERT_HAS_EXPIRED: 'tls_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_name_mismatch',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'tls_name_mismatch',
  HOSTNAME_MISMATCH: 'tls_name_mismatch',
  EPROTO: 'tls_protocol',
  HPE_HEADER_OVERFLOW: 'headers_overflow',
}

/** OpenSSL's X.509 verification results, as Node names them; expiry and name are above. */
const UNTRUSTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|CRL_\w+|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_\w+|ERROR_IN_CRL_\w+)$/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The name for what Node or OpenSSL reported; what nobody foresaw is a `protocol_error`. */
export function egressErrorOf(error: unknown): EgressError {
  if (error instanceof EgressFault) return error.kind
  const code = codeOf(error)
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined
  if (known !== undefined) return known
  if (UNTRUSTED.test(code)) return 'tls_untrusted'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls_protocol'
  return 'protocol_error'
}

const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NODATA', 'EAI_NONAME']

/** Failures of a lookup: resolvers reuse codes of sockets (`ECONNREFUSED` is a name server's), so they have their own map. */
export function lookupFault(error: unknown): EgressFault {
  if (error instanceof EgressFault) return error
  const code = codeOf(error)
  return NO_SUCH_NAME.includes(code)
    ? new EgressFault('dns_not_found', `the name has no address (${code})`)
    : new EgressFault('dns_failure', `the lookup failed (${code || String(error)})`)
}
