import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ownPeak, peakOf } from './peak-memory.ts'

const MB = 1024 * 1024
const MODULE = new URL('../../dist/bench/rigs/peak-memory.js', import.meta.url).href

describe('the most memory of a process', () => {
  it('is what it has held, and not what whoever started it did', () => {
    const held = Buffer.alloc(300 * MB, 1)
    expect(ownPeak()).toBeGreaterThan(held.byteLength)
    const script = `import { ownPeak } from '${MODULE}'\nprocess.stdout.write(String(ownPeak()))`
    const peak = Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }))
    expect(peak).toBeGreaterThan(20 * MB)
    expect(peak).toBeLessThan(held.byteLength)
  })

  it('is not known of a process that is not there', () => {
    expect(peakOf(2 ** 30)).toBeUndefined()
  })
})
