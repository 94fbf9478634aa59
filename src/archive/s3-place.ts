import { createReadStream } from 'node:fs'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { sleep } from '../async/sleep.ts'
import type { Problem } from '../domain/problem.ts'
import { archiveProblem } from './archive-problem.ts'
import type { ArchivePlace, Digest } from './place.ts'
import { objectPath, SHA256_OF_NOTHING, type Signer, signed } from './sigv4.ts'

export interface Bucket extends Signer {
  /** Of the service, e.g. `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly bucket: string
  /** Before every name; without slashes at its ends. */
  readonly prefix: string
  /** Before the first time that it is asked again. */
  readonly pauseMs?: number
  /** A service that says nothing for so long is given up. */
  readonly silentMs?: number
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

const SILENT_MS = 60_000
const META = 'x-amz-meta-sha256'
/** One that is busy, as it says, is asked again so often, after twice as long each time. */
const TRIES = 5
const PAUSE_MS = 500
const isBusy = ({ status }: Answer): boolean => status === 429 || status >= 500

/**
 * A bucket, by path (`<endpoint>/<bucket>/<prefix>/<name>`). The service itself holds what it got against the signed digest. Whatever
 * is under way ends with `signal`.
 */
export function s3Place(bucket: Bucket, signal?: AbortSignal): ArchivePlace {
  const urlOf = (name: string): URL =>
    new URL(`${bucket.endpoint}/${objectPath([bucket.bucket, bucket.prefix, name].filter(Boolean).join('/'))}`)
  const ask = async (method: string, name: string, body?: { local: string; digest: Digest }): Promise<Answer> => {
    for (let [left, pauseMs] = [TRIES, bucket.pauseMs ?? PAUSE_MS]; ; pauseMs *= 2) {
      const answer = await send(method, urlOf(name), bucket, body, signal)
      if (--left === 0 || !isBusy(answer)) return answer
      await sleep(pauseMs, signal)
    }
  }
  return {
    name: `s3://${[bucket.bucket, bucket.prefix].filter(Boolean).join('/')}`,
    read: async (name) => {
      const { status, body } = await ask('GET', name)
      // Of a bucket that is not there it is another code.
      if (status === 404 && (codeIn(body) ?? 'NoSuchKey') === 'NoSuchKey') return undefined
      if (status !== 200) throw refused(`reading ${name}`, status, body)
      return body
    },
    keep: async (name, local, digest) => {
      const put = await ask('PUT', name, { local, digest })
      if (put.status !== 200) throw refused(`keeping ${name}`, put.status, put.body)
      const { status, headers, body } = await ask('HEAD', name)
      if (status !== 200) throw refused(`looking at ${name}`, status, body)
      if (Number(headers['content-length']) !== digest.bytes || headers[META] !== digest.sha256) {
        const detail = `the service says that it keeps another ${name} than it was sent`
        throw archiveProblem(detail, 'look at the bucket; nothing was dropped')
      }
    },
  }
}

async function send(
  method: string,
  url: URL,
  signer: Bucket,
  body: { local: string; digest: Digest } | undefined,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const own: Record<string, string> =
    body === undefined ? {} : { 'content-length': String(body.digest.bytes), [META]: body.digest.sha256 }
  const sha256 = body?.digest.sha256 ?? SHA256_OF_NOTHING
  const headers = signed({ method, url, headers: own, sha256, at: new Date() }, signer)
  const sent = (url.protocol === 'https:' ? overHttps : overHttp)(url, { method, headers, ...(signal && { signal }) })
  sent.setTimeout(signer.silentMs ?? SILENT_MS, () => sent.destroy(new Error('the service does not answer')))
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, headers, body }), reject)
    })
  })
  try {
    if (body === undefined) sent.end()
    // A service that refuses answers before it has read everything: its answer says more than the broken pipe.
    else await pipeline(createReadStream(body.local), sent).catch(() => undefined)
    return await answered
  } catch (error) {
    signal?.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw archiveProblem(`${url.origin} cannot be asked: ${reason}`, 'check ARCHIVE_S3_ENDPOINT')
  }
}

const codeIn = (body: string): string | undefined => /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body)?.[1]

function refused(what: string, status: number, body: string): Problem {
  const code = codeIn(body)
  const detail = `${what}: the service answers HTTP ${status}${code === undefined ? '' : ` ${code}`}`
  return archiveProblem(detail, hintOn(status, code))
}

function hintOn(status: number, code: string | undefined): string {
  if (code === 'RequestTimeTooSkewed') return 'set the clock: it is not that of the service'
  if (status === 403 && (code ?? 'AccessDenied') === 'AccessDenied')
    return 'give the key GetObject and PutObject on the prefix and ListBucket on the bucket: without it a file that is not there is refused too'
  return 'check ARCHIVE_TO and the ARCHIVE_S3_ variables'
}
