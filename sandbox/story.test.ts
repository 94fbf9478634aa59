import { describe, expect, it } from 'vitest'
import { Story } from './story.ts'

const stage = (isTTY: boolean) => {
  const said: string[] = []
  return { said, isTTY, write: (text: string) => said.push(text) }
}

describe('the story of the sandbox', () => {
  it('is plain lines where nobody watches', async () => {
    const { said, ...rest } = stage(false)
    let nowMs = 0
    const story = new Story({ ...rest, write: (text) => said.push(text) }, () => (nowMs += 1_500))
    expect(
      await story.step(
        'sellers open',
        async () => 12,
        (n) => `${n} of them`,
      ),
    ).toBe(12)
    expect(said.join('')).toBe('  ✓ sellers open: 12 of them (1.5 s)\n')
  })

  it('spins on a terminal and leaves only the tick', async () => {
    const screen = stage(true)
    const story = new Story(screen, () => 0)
    await story.step('chains start', async () => undefined)
    const left = screen.said.join('').split('\r\x1b[2K').at(-1)
    expect(left).toContain('✓')
    expect(left).toContain('chains start')
  })

  it('has no colours on a terminal that wants none', async () => {
    const screen = { ...stage(true), hasColors: () => false }
    await new Story(screen, () => 0).step('chains start', async () => undefined)
    expect(screen.said.join('').split('\r\x1b[2K').at(-1)).toBe('  ✓ chains start (0.0 s)\n')
  })

  it('marks the step that failed and hands the failure on', async () => {
    const screen = stage(false)
    const story = new Story(screen, () => 0)
    const failing = story.step('agents pay', () => Promise.reject(new Error('no money')))
    await expect(failing).rejects.toThrow('no money')
    expect(screen.said.join('')).toBe('  ✗ agents pay\n')
  })
})
