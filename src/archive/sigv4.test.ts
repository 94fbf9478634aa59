import { describe, expect, it } from 'vitest'
import { objectPath, SHA256_OF_NOTHING, signed } from './sigv4.ts'

/** The examples that AWS publishes in "Signature Calculations for the Authorization Header" of the S3 API reference. */
const SIGNER = {
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const EXAMPLES = [
  {
    what: 'a part of an object',
    method: 'GET',
    path: '/test.txt',
    headers: { Range: 'bytes=0-9' },
    sha256: SHA256_OF_NOTHING,
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    what: 'an object to be kept',
    method: 'PUT',
    path: objectPath('/test$file.text'),
    headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    sha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    what: 'a query without a value',
    method: 'GET',
    path: '/?lifecycle',
    headers: {},
    sha256: SHA256_OF_NOTHING,
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    what: 'a query of two',
    method: 'GET',
    path: '/?max-keys=2&prefix=J',
    headers: {},
    sha256: SHA256_OF_NOTHING,
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
] as const

describe('a signed request to S3', () => {
  it.each(EXAMPLES)('is signed as AWS signs it: $what', ({ method, path, headers, sha256, signature }) => {
    const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`)
    const { Authorization } = signed({ method, url, headers, sha256, at: new Date(Date.UTC(2013, 4, 24)) }, SIGNER)
    expect(Authorization).toContain('Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request')
    expect(Authorization).toContain(`Signature=${signature}`)
  })
})
