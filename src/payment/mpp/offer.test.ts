import { describe, expect, it } from 'vitest'
import { isSet } from '../rail.ts'
import { createMppRail } from './rail.ts'

const config = {
  recipient: '0x1111111111111111111111111111111111111111',
  currency: '0x20c0000000000000000000000000000000000000',
  // Nobody listens there: opening must not need the node.
  rpcUrl: 'http://127.0.0.1:9/secret-path',
  secretKey: 'k'.repeat(32),
}
const open = (changes: Partial<Record<keyof typeof config, string | undefined>>) =>
  createMppRail({ config: { ...config, ...changes }, realm: 'tollbook.example', nowUs: () => 0 })

describe('the mpp rail', () => {
  it('names exactly the variables that are missing', () => {
    const none = { recipient: undefined, currency: undefined, rpcUrl: undefined, secretKey: undefined }
    expect(open(none)).toEqual({
      name: 'mpp',
      missing: ['MPP_RECIPIENT', 'MPP_CURRENCY', 'MPP_RPC_URL', 'MPP_SECRET_KEY'],
      past: expect.any(Function),
    })
    expect(open({ currency: undefined })).toEqual({
      ...{ name: 'mpp', missing: ['MPP_CURRENCY'], past: expect.any(Function) },
    })
  })

  it('opens while its node is down and says so when asked to pay, without naming it', async () => {
    const rail = open({})
    if (!isSet(rail)) throw new Error('not set')
    expect(rail.terms).toEqual([])
    const request = { host: 'a.example', resource: '', bodyDigest: '', header: () => undefined }
    const problem = await rail.demand(request)
    expect(problem).toMatchObject({ slug: 'payment-backend', status: 503, more: { charged: false } })
    expect(JSON.stringify({ ...problem, cause: problem.cause, stack: problem.stack })).not.toContain('secret-path')
  })

  it('refuses a value that cannot be used, naming the variable and never the value', () => {
    expect(() => open({ secretKey: 'too short' })).toThrow(/^MPP_SECRET_KEY has less than 32 bytes$/)
    expect(() => open({ recipient: 'somebody' })).toThrow(/^MPP_RECIPIENT is not an EVM address$/)
    expect(() => open({ currency: 'usd' })).toThrow(/^MPP_CURRENCY is not the address of a token$/)
  })
})
