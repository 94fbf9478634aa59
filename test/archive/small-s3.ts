import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * Stands in for an S3-compatible service, none of which runs here: it keeps objects, answers about them, and refuses a
 * signature that is not that of the request as it came, or a body that is not the signed one. It finds the signature by
 * what AWS documents, from what came over the wire, and knows nothing of how ours is made.
 */
export interface SmallS3 {
  readonly endpoint: string
  readonly objects: Map<string, { readonly body: Buffer; readonly sha256: string }>
  /** What it does wrong from now on. */
  fault:
    | 'none'
    | 'refuses'
    | 'forgets'
    | 'mixes up'
    | 'lists nothing'
    | 'has no such bucket'
    | 'is busy'
    | 'is often busy'
  stop(): Promise<void>
}

/** The key that it knows. */
export const KEY = { keyId: 'key-1', secret: 'hidden', region: 'eu-central-1' } as const

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
const MUST_BE_SIGNED = ['host', 'x-amz-content-sha256', 'x-amz-date']
const LATEST_MS = 15 * 60_000

function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const [, keyId, day = '', region = '', names = '', signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  const time = String(headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (keyId !== KEY.keyId || region !== KEY.region || !time.startsWith(day)) return false
  if (!(Math.abs(Date.now() - at) < LATEST_MS)) return false
  const signed = names.split(';')
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !signed.includes(name))
  if (unsigned.length > 0 || !MUST_BE_SIGNED.every((name) => signed.includes(name))) return false
  const [path = '', query = ''] = url.split('?')
  let canonical = `${method}\n${path}\n${query.split('&').sort().join('&')}\n`
  for (const name of signed.toSorted()) canonical += `${name}:${String(headers[name]).trim()}\n`
  canonical += `\n${names}\n${headers['x-amz-content-sha256']}`
  const hashed = createHash('sha256').update(canonical).digest('hex')
  const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const key = mac(mac(mac(mac(`AWS4${KEY.secret}`, day), region), 's3'), 'aws4_request')
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${hashed}`
  return mac(key, text).toString('hex') === signature
}

export async function smallS3(): Promise<SmallS3> {
  const objects: SmallS3['objects'] = new Map()
  let requests = 0
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const key = decodeURIComponent(request.url ?? '')
    const sha256 = createHash('sha256').update(body).digest('hex')
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    if (!isSigned(request)) return refuse(403, 'SignatureDoesNotMatch')
    if (request.headers['x-amz-content-sha256'] !== sha256) return refuse(400, 'XAmzContentSHA256Mismatch')
    requests += 1
    if (small.fault === 'is busy' || (small.fault === 'is often busy' && requests % 3 > 0))
      return refuse(503, 'SlowDown')
    if (small.fault === 'refuses') return refuse(403, 'AccessDenied')
    if (small.fault === 'has no such bucket') return refuse(404, 'NoSuchBucket')
    if (request.method === 'PUT') {
      const said = String(request.headers['x-amz-meta-sha256'])
      if (small.fault !== 'forgets') objects.set(key, { body, sha256: small.fault === 'mixes up' ? 'another' : said })
      return response.writeHead(200, { ETag: '"x"' }).end()
    }
    const found = objects.get(key)
    if (found === undefined && small.fault === 'lists nothing') return refuse(403, 'AccessDenied')
    if (found === undefined) return refuse(404, 'NoSuchKey')
    const headers = { 'content-length': found.body.length, 'x-amz-meta-sha256': found.sha256 }
    return response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const small: SmallS3 = {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    fault: 'none',
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return small
}
