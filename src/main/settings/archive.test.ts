import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../config.ts'
import { archiveOf, readArchiveTo } from './archive.ts'
import { readDatabases } from './readers.ts'

const S3 = { ARCHIVE_S3_REGION: 'eu-central-1', ARCHIVE_S3_KEY_ID: 'id', ARCHIVE_S3_SECRET: 'secret' }

describe('where old months go', () => {
  it('is a folder, or a bucket with what stands before every name', () => {
    expect(readArchiveTo('/var/archive')).toEqual({ kind: 'folder', folder: '/var/archive' })
    const parts = fc.array(fc.stringMatching(/^[A-Za-z0-9_. -]{1,10}$/), { maxLength: 3 })
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,20}[a-z0-9]$/), parts, (bucket, names) => {
        const prefix = names.join('/')
        expect(readArchiveTo(`s3://${bucket}/${prefix}/`)).toEqual({ kind: 's3', bucket, prefix })
      }),
    )
  })

  it.each([
    ['s3://', 'it names no bucket'],
    ['s3://b/p', 'no name of a bucket is shorter than 3 characters'],
    [`s3://${'b'.repeat(64)}/p`, 'no name of a bucket is longer than 63 characters'],
    ['s3://Bucket/p', 'the name of a bucket is of a-z, 0-9, . and -, with a letter or digit first and last'],
    ['s3://a b/c', 'the name of a bucket is of a-z, 0-9, . and -, with a letter or digit first and last'],
    ['https://bucket.example', 'of addresses only those with s3:// are taken'],
    ['S3://bucket', 'of addresses only those with s3:// are taken'],
  ])('is refused as %s: %s', (text, fault) => {
    expect(readArchiveTo(text)).toBeUndefined()
    expect(() => loadConfig({ ARCHIVE_TO: text })).toThrow(
      `ARCHIVE_TO: expected a folder, or s3://bucket/prefix; ${fault}`,
    )
  })

  it('needs keys for a bucket, and finds the service of its region', () => {
    const to = readArchiveTo('s3://evidence/old')
    expect(archiveOf(to, S3)).toMatchObject({ endpoint: 'https://s3.eu-central-1.amazonaws.com', keyId: 'id' })
    expect(() => archiveOf(to, { ...S3, ARCHIVE_S3_SECRET: undefined })).toThrow('a bucket needs ARCHIVE_S3_KEY_ID')
    expect(archiveOf(undefined, S3)).toBeUndefined()
  })
})

describe('replicas to read from', () => {
  it('are as many addresses of Postgres as are written, and none when one is something else', () => {
    const address = fc.domain().map((host) => `postgres://reader@${host}:5432/tollbook`)
    fc.assert(
      fc.property(fc.array(address, { minLength: 1 }), (addresses) => {
        expect(readDatabases(addresses.join(' , '))).toEqual(addresses)
        expect(readDatabases([...addresses, 'mysql://elsewhere/x'].join(','))).toBeUndefined()
      }),
    )
  })
})
