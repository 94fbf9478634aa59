import { describe, expect, it } from 'vitest'
import { loadConfig } from '../config.ts'
import { egressOf } from '../egress.ts'
import { clockFinding } from './checks.ts'

const findingWith = (checked: string) => {
  const config = loadConfig({ PROBE_CHECK: checked })
  return clockFinding(egressOf(config, 'http://127.0.0.1:1'), config)
}

describe('the clock', () => {
  it('is said to be guarded by nothing where nobody is to be asked, and not to be compared where nobody answers', async () => {
    expect(await findingWith('none')).toMatchObject({
      state: 'warn',
      what: expect.stringMatching(/^nothing guards it: with PROBE_CHECK=none /),
    })
    // No address of others is called from here: this one is refused.
    expect(await findingWith('http://127.0.0.1:9/')).toMatchObject({
      state: 'warn',
      what: expect.stringMatching(/^nobody to compare with: /),
    })
  })
})
