import { describe, expect, it } from 'vitest'
import { inTime } from './in-time.ts'

const never = new Promise<string>(() => undefined)

describe('work with a time limit', () => {
  it('comes to what it comes to, failures too', async () => {
    expect(await inTime(Promise.resolve('done'), 60_000, 'late')).toBe('done')
    await expect(inTime(Promise.reject(new Error('broken')), 60_000, 'late')).rejects.toThrow('broken')
  })

  it('is given up when it takes too long, and may fail afterwards without anybody hearing of it', async () => {
    expect(await inTime(never, 1, 'late')).toBe('late')
    let fail = (_: Error): void => undefined
    const failing = new Promise<string>((_, reject) => {
      fail = reject
    })
    expect(await inTime(failing, 1, 'late')).toBe('late')
    fail(new Error('too late to matter'))
    await expect(failing).rejects.toThrow('too late')
  })
})
