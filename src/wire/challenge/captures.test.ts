import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readChallenge } from './challenge.ts'
import { type Fields, fieldOf, fieldsOf } from './json.ts'

// Real answers of sellers, kept beside the checkout where they are available; never part of it.
const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/captures')
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : []

const capture = (file: string): Fields => fieldsOf(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))) ?? {}

function read(file: string) {
  const fields = capture(file)
  const body = fieldOf(fields, 'body')
  return readChallenge({
    url: String(fieldOf(fields, 'url')),
    status: Number(fieldOf(fields, 'status')),
    headers: Object.entries(fieldsOf(fieldOf(fields, 'headers')) ?? {}).map(([name, value]) => [name, String(value)]),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    nowUs: Date.UTC(2026, 10, 14) * 1000,
  })
}

describe.skipIf(files.length === 0)('real answers', () => {
  it.each(files)('%s is read as it was meant', (file) => {
    const challenge = read(file)
    const accepts = fieldOf(fieldsOf(fieldOf(capture(file), 'body')), 'accepts')
    if (Array.isArray(accepts)) expect(challenge?.offers).toHaveLength(accepts.length)
    if (file.startsWith('x402scan-v1')) {
      expect(challenge?.warnings).toEqual([])
      for (const offer of challenge?.offers ?? []) expect(offer).toMatchObject({ rail: 'x402', network: 'base' })
      for (const offer of challenge?.offers ?? []) expect(offer.price).toBeGreaterThan(0)
    }
    const noChallenge = ['402index-direct-l402-token.json', 'doc-apitoll.json', 'doc-exa-get-404.json']
    expect(challenge === null).toBe(noChallenge.includes(file))
  })
})
