import type { Bucket } from '../../archive/s3-place.ts'
import { configurationProblem } from './configuration-problem.ts'

/** Where `ARCHIVE_TO` points. */
export type ArchiveTo =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string }

export type ArchiveConfig = { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & Bucket)

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/

const SHORTEST_BUCKET = 3
const LONGEST_BUCKET = 63

/** A folder, or `s3://bucket/prefix`. */
export function readArchiveTo(text: string): ArchiveTo | undefined {
  const [, bucket, prefix = ''] = BUCKET.exec(text) ?? []
  if (bucket !== undefined) return { kind: 's3', bucket, prefix: prefix.replaceAll(/^\/+|\/+$/g, '') }
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || text.includes('\0') ? undefined : { kind: 'folder', folder: text }
}

/** What is wrong with one that is refused: most often the name of a bucket. */
export function faultOfArchiveTo(text: string): string | undefined {
  const [, bucket] = /^s3:\/\/([^/]*)/.exec(text) ?? []
  if (bucket === undefined) return text.includes('://') ? 'of addresses only those with s3:// are taken' : undefined
  if (bucket === '') return 'it names no bucket'
  if (bucket.length < SHORTEST_BUCKET) return `no name of a bucket is shorter than ${SHORTEST_BUCKET} characters`
  if (bucket.length > LONGEST_BUCKET) return `no name of a bucket is longer than ${LONGEST_BUCKET} characters`
  return 'the name of a bucket is of a-z, 0-9, . and -, with a letter or digit first and last'
}

export interface S3Values {
  readonly ARCHIVE_S3_ENDPOINT?: string | undefined
  readonly ARCHIVE_S3_REGION: string
  readonly ARCHIVE_S3_KEY_ID?: string | undefined
  readonly ARCHIVE_S3_SECRET?: string | undefined
}

/** A bucket needs keys. */
export function archiveOf(to: ArchiveTo | undefined, values: S3Values): ArchiveConfig | undefined {
  if (to === undefined || to.kind === 'folder') return to
  const { ARCHIVE_S3_KEY_ID: keyId, ARCHIVE_S3_SECRET: secret, ARCHIVE_S3_REGION: region } = values
  if (keyId === undefined || secret === undefined) {
    const detail = 'ARCHIVE_TO: a bucket needs ARCHIVE_S3_KEY_ID and ARCHIVE_S3_SECRET'
    throw configurationProblem(detail, 'set both, or name a folder')
  }
  return { ...to, keyId, secret, region, endpoint: values.ARCHIVE_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com` }
}
