import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * Stands in for an S3-compatible service, none of which runs here: it keeps objects, refuses a body that is not the signed
 * one, and answers about them. That signatures are right is held against AWS's own examples (`src/archive/sigv4.test.ts`).
 */
export interface SmallS3 {
  readonly endpoint: string
  readonly objects: Map<string, { readonly body: Buffer; readonly sha256: string }>
  /** What it does wrong from now on. */
  fault: 'none' | 'refuses' | 'forgets' | 'mixes up'
  stop(): Promise<void>
}

const CREDENTIAL =
  /^AWS4-HMAC-SHA256 Credential=key-1\/\d{8}\/eu-central-1\/s3\/aws4_request,SignedHeaders=([a-z0-9;-]+),Signature=[0-9a-f]{64}$/

const isSigned = ({ headers }: IncomingMessage): boolean => {
  const [, names = ''] = CREDENTIAL.exec(headers.authorization ?? '') ?? []
  const isFresh = /^\d{8}T\d{6}Z$/.test(String(headers['x-amz-date']))
  return isFresh && ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.split(';').includes(name))
}

export async function smallS3(): Promise<SmallS3> {
  const objects: SmallS3['objects'] = new Map()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const key = decodeURIComponent(request.url ?? '')
    const sha256 = createHash('sha256').update(body).digest('hex')
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    if (!isSigned(request)) return refuse(403, 'SignatureDoesNotMatch')
    if (request.headers['x-amz-content-sha256'] !== sha256) return refuse(400, 'XAmzContentSHA256Mismatch')
    if (small.fault === 'refuses') return refuse(403, 'AccessDenied')
    if (request.method === 'PUT') {
      const said = String(request.headers['x-amz-meta-sha256'])
      if (small.fault !== 'forgets') objects.set(key, { body, sha256: small.fault === 'mixes up' ? 'another' : said })
      return response.writeHead(200, { ETag: '"x"' }).end()
    }
    const found = objects.get(key)
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
