import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readChallenge } from './challenge.ts'
import { type Fields, fieldOf, fieldsOf } from './json.ts'

// Real answers of sellers, kept beside the checkout where they are available; never part of it.
const SAMPLES = join(import.meta.dirname, '../../../../shared/fixtures')
const FOLDER = join(SAMPLES, 'captures')
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

  it('of an x402 gateway and an mpp proxy give their prices, networks and payees', () => {
    const samples = fieldsOf(JSON.parse(readFileSync(join(SAMPLES, 'captures.json'), 'utf8')))
    const header = (sample: string, name: string): readonly [string, string] => [
      name,
      String(fieldOf(fieldsOf(fieldOf(samples, sample)), name)),
    ]
    const answer = {
      url: 'https://l402.space/x402/ping',
      status: 402,
      body: Buffer.alloc(0),
      nowUs: Date.UTC(2026, 2, 18) * 1000,
    }
    const x402 = readChallenge({ ...answer, headers: [header('x402_v2_402_header', 'PAYMENT-REQUIRED')] })
    expect(x402?.warnings).toEqual([])
    expect(x402?.offers.map(({ network, price }) => [network, price])).toEqual([
      ['eip155:8453', 10_000],
      ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 10_000],
    ])
    const mpp = readChallenge({ ...answer, headers: [header('mpp_challenge', 'WWW-Authenticate')] })
    expect(mpp).toEqual({
      offers: [
        {
          rail: 'mpp',
          network: 'tempo:4217',
          price: 10_000,
          asset: '0x20c000000000000000000000b9537d11c60e8b50',
          payee: '0xca4e835F803cB0b7C428222B3A3B98518d4779Fe',
        },
      ],
      warnings: ['no_no_store'],
    })
  })
})
