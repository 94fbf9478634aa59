import { createHash, createHmac } from 'node:crypto'

/** Who signs, and for where. */
export interface Signer {
  readonly keyId: string
  readonly secret: string
  readonly region: string
}

export interface Unsigned {
  readonly method: string
  readonly url: URL
  /** All of them are signed, besides `host`. */
  readonly headers: Readonly<Record<string, string>>
  /** Of the body, in hex. */
  readonly sha256: string
  readonly at: Date
}

export const SHA256_OF_NOTHING = createHash('sha256').digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** As RFC 3986 has it, a slash of a path aside. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** The path of an object, written as S3 signs it. */
export const objectPath = (path: string): string => path.split('/').map(escaped).join('/')

/** The headers of a request to S3, signed (AWS Signature Version 4, the whole body in one piece). */
export function signed({ method, url, headers, sha256: body, at }: Unsigned, signer: Signer): Record<string, string> {
  const time = `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const day = time.slice(0, 8)
  const sent: Record<string, string> = { ...headers, 'x-amz-content-sha256': body, 'x-amz-date': time }
  const all = Object.entries({ ...sent, host: url.host })
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replaceAll(/ +/g, ' ')])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = all.map(([name]) => name).join(';')
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&')
  const request = [method, url.pathname, query, ...all.map((pair) => pair.join(':')), '', names, body].join('\n')
  const scope = `${day}/${signer.region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n')
  const key = [signer.region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${signer.secret}`, day))
  const signature = hmac(key, toSign).toString('hex')
  const Authorization = `AWS4-HMAC-SHA256 Credential=${signer.keyId}/${scope},SignedHeaders=${names},Signature=${signature}`
  return { ...sent, Authorization }
}
