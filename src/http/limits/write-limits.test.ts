import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../domain/problem.ts'
import { trustedProxies } from '../server/client-address.ts'
import { parseRateLimits } from './rates.ts'
import { WriteLimits } from './write-limits.ts'

const LIMITS = parseRateLimits('unsigned=1/h,signed=2/h') ?? null
const PROXIES = trustedProxies(['0.0.0.0/0', '::/0']) ?? null
const WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A socket without a peer stands behind a proxy that is trusted to name it. */
const gateOf = (limits: WriteLimits, address: string) =>
  limits.gate({ socket: Object.assign(new Socket(), {}) }, { forwardedFor: address })

function refused(act: () => void): Problem | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

describe('limits on writing', () => {
  it('count a wallet in whatever writing, across addresses, and share it with posts', () => {
    const limits = new WriteLimits(LIMITS, () => 0, PROXIES)
    gateOf(limits, '192.0.2.1').signed(WALLET)
    limits.admit(WALLET.toLowerCase())
    expect(refused(() => gateOf(limits, '192.0.2.2').signed(WALLET))).toMatchObject({
      slug: 'rate-limited',
      status: 429,
      headers: { 'Retry-After': '3600', 'RateLimit-Policy': '"signed";q=2;w=3600' },
    })
    expect(refused(() => limits.admit(WALLET))?.status).toBe(429)
    expect(refused(() => limits.admit('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'))).toBeUndefined()
  })

  it('count the unsigned reviews of one host, however many addresses they come from, and say what to do', () => {
    const limits = new WriteLimits(parseRateLimits('unsigned=1000/h,unsigned-host=50/d') ?? null, () => 0, PROXIES)
    const flood = Array.from({ length: 200 }, (_, n) =>
      refused(() => gateOf(limits, `192.0.2.${n}`).unsigned('api.seller.example')),
    )
    expect(flood.filter((found) => found === undefined)).toHaveLength(50)
    expect(flood.at(-1)).toMatchObject({
      status: 429,
      detail: expect.stringContaining('More than 50 unsigned reviews of this host'),
      hint: expect.stringContaining('sign it with a wallet'),
      headers: { 'Retry-After': '86400' },
    })
    expect(refused(() => gateOf(limits, '192.0.2.1').unsigned('other.seller.example'))).toBeUndefined()
  })

  it('end with their window', () => {
    let nowMs = 0
    const limits = new WriteLimits(LIMITS, () => nowMs, null)
    const gate = gateOf(limits, '')
    const unsigned = () => gate.unsigned('api.seller.example')
    unsigned()
    expect(refused(unsigned)?.status).toBe(429)
    nowMs = 3_600_000
    expect(refused(unsigned)).toBeUndefined()
  })

  it('are none when the operator switched them off', () => {
    const limits = new WriteLimits(null, () => 0, null)
    const gate = gateOf(limits, '')
    for (let n = 0; n < 100; n++) {
      gate.unsigned('api.seller.example')
      gate.signing()
      gate.signed(WALLET)
      limits.admit(WALLET)
    }
    expect(gate.headers()).toEqual({})
  })
})
