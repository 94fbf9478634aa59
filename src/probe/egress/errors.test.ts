import { describe, expect, it } from 'vitest'
import { EGRESS_ERRORS, EgressFault, egressErrorOf, lookupFault } from './errors.ts'

const coded = (code: string, message = ''): Error => Object.assign(new Error(message), { code })

describe('egressErrorOf', () => {
  it.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['ECONNRESET', 'connection_reset'],
    ['EPIPE', 'connection_reset'],
    ['ETIMEDOUT', 'connect_timeout'],
    ['ENETUNREACH', 'connect_timeout'],
    ['CERT_HAS_EXPIRED', 'tls_expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_name_mismatch'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_untrusted'],
    ['CERT_NOT_YET_VALID', 'tls_untrusted'],
    ['CERT_REVOKED', 'tls_untrusted'],
    ['EPROTO', 'tls_protocol'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_protocol'],
    ['HPE_HEADER_OVERFLOW', 'headers_overflow'],
    ['HPE_INVALID_CONSTANT', 'protocol_error'],
    ['HPE_INVALID_CONTENT_LENGTH', 'protocol_error'],
    ['toString', 'protocol_error'],
  ])('calls %s %s', (code, expected) => {
    expect(egressErrorOf(coded(code))).toBe(expected)
  })

  it('gives everything a name of the vocabulary', () => {
    for (const thrown of [undefined, null, 'text', new Error('x'), { code: 'ECONNRESET' }, coded('')])
      expect(EGRESS_ERRORS).toContain(egressErrorOf(thrown))
  })
})

describe('lookupFault', () => {
  it('tells a name that does not exist from a resolver that failed', () => {
    expect(lookupFault(coded('ENOTFOUND')).kind).toBe('dns_not_found')
    expect(lookupFault(coded('ENODATA')).kind).toBe('dns_not_found')
    expect(lookupFault(coded('ESERVFAIL')).kind).toBe('dns_failure')
    expect(lookupFault(coded('ECONNREFUSED')).kind).toBe('dns_failure')
    expect(lookupFault(new EgressFault('deadline', 'late')).kind).toBe('deadline')
  })
})
