import { describe, expect, it } from 'vitest'
import { RAILS } from '../domain/route.ts'
import { createMppRail } from '../payment/mpp/rail.ts'
import { pastOf } from '../payment/rail.ts'
import { createX402Rail } from '../payment/x402/rail.ts'
import { nowUs } from './clock.ts'
import { loadConfig } from './config.ts'
import { createRails } from './rails.ts'

const PAYEE = `0x${'1'.repeat(40)}`

describe('the rails of a directory', () => {
  it.each([{}, { X402_PAY_TO: PAYEE }, { X402_NETWORKS: 'solana' }, { MPP_RECIPIENT: PAYEE }])(
    'lack what their own kits say is missing, loaded or not: %j',
    async (env) => {
      const config = loadConfig(env)
      const { x402, mpp, rpcUrls } = config.payments
      const past = expect.any(Function)
      const rails = await createRails(config)
      expect(rails).toEqual({
        x402: { ...createX402Rail({ config: x402, rpcUrls, nowUs }), past },
        mpp: { ...createMppRail({ config: mpp, realm: 'tollbook.example', nowUs }), past },
      })
      // What was paid before is known again with nothing set up.
      for (const rail of RAILS) expect(await pastOf(rails[rail])).toMatchObject({ name: rail })
    },
  )

  it('are there when they are set', async () => {
    const config = loadConfig({ X402_PAY_TO: PAYEE, X402_FACILITATOR_URL: 'https://facilitator.example' })
    expect((await createRails(config)).x402).toMatchObject({ name: 'x402', terms: [{ payee: PAYEE }] })
  })

  it('stop the program when a network is named whose dollar nobody knows', async () => {
    const set = { X402_PAY_TO: PAYEE, X402_FACILITATOR_URL: 'https://facilitator.example' }
    await expect(createRails(loadConfig({ ...set, X402_NETWORKS: 'base,eip155:99999999' }))).rejects.toMatchObject({
      detail: expect.stringMatching(/^X402_NETWORKS: expected /),
      hint: 'correct or unset X402_NETWORKS',
    })
  })
})
