import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, ended, ROOT } from '../support/program.ts'
import { openForTests } from './opened.ts'
import { SELLER, SELLER_KEY } from './world.ts'

const opened = openForTests()

describe.runIf(opened.path)('a seller who finds its host here', () => {
  let folder: string
  beforeAll(() => {
    folder = temporaryFolder()
    writeFileSync(join(folder, 'wallet.key'), SELLER_KEY, { mode: 0o600 })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A command as the page prints it, in the checkout that runs it. */
  const run = (command: string) => {
    const words = command.replace('wallet.key', join(folder, 'wallet.key'))
    const env = cleanEnvironment({ DATA_DIR: join(folder, 'data'), SOURCES: 'none' })
    return ended(spawn('bash', ['-c', words], { cwd: ROOT, env }))
  }

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)(
    'at %i px, %s, goes from why it is listed to its answer being there for everybody',
    async (width, colorScheme) => {
      const { page } = await opened.visit(`/hosts/${SELLER}`, { width, colorScheme })
      const part = page.locator('#sellers')
      await part.locator('summary').click()
      expect(await part.innerText()).toContain('Why this is here. Named by bazaar.')
      await part.getByRole('link', { name: 'who lists it, since when, and what was refused' }).click()
      expect(await page.locator('h1').innerText()).toMatch(/listed/i)
      await page.goBack()
      await page.locator('#sellers summary').click()
      const commands = (await page.locator('#sellers pre').first().innerText()).trim().split('\n')
      const [claim = '', say = ''] = commands
      const claimed = await run(claim)
      expect([claimed.code, claimed.err, claimed.out]).toEqual([0, '', expect.stringContaining(`speaks for ${SELLER}`)])
      const text = `We added machines (${width}).`
      const said = await run(say.replace('<id>', 'complaint').replace('…', text))
      expect([said.code, said.err]).toEqual([0, expect.any(String)])
      await page.goto(`${opened.world.address}/hosts/${SELLER}`)
      const review = page.locator('#review-complaint')
      expect(await review.locator('.seller .chip').innerText()).toBe('The seller says')
      expect(await review.locator('.seller blockquote').innerText()).toBe(text)
      expect(await review.locator('.seller blockquote').isVisible()).toBe(true)
      // A page never scrolls sideways, and the answer stands under what it answers.
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await review.locator('.seller .by').click()
      expect(await page.locator('h1').innerText()).toBe(SELLER)
      expect(await page.locator('pre').first().innerText()).toContain('reply\nreview complaint\n')
    },
    120_000,
  )
})
