import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hostPage } from '../../src/render/html/pages/host.tsx'
import { hostView, review, route, SITE } from '../../src/render/testing/sample-views.ts'
import { axeViolations, bringAxe, numberOf } from './looking.ts'
import { openForTests } from './opened.ts'

const opened = openForTests()

const MARKS = Array.from({ length: 70 }, (_, n) => String.fromCodePoint(0x300 + (n % 64))).join('')
const STACKED = [...'OVERPAINT'].map((letter) => `${letter}${MARKS}`).join('')
const TALL = `x${'\n'.repeat(3990)}y`

/** A host's page with one review, from whoever wrote it. */
async function open(text: string, width: number): Promise<Page> {
  const page = await opened.browser.newPage({ viewport: { width, height: 900 } })
  const said = review({ text, level: 'Unsigned', wallet: null, signature: null, signedAt: null })
  const body = hostPage(SITE, hostView([route('/v1/x', { reviews: [said], reviewsTotal: 1 })]), {
    cards: false,
    cursor: null,
  })
  await page.route('**/said', (asked) => asked.fulfill({ contentType: 'text/html; charset=utf-8', body }))
  await page.goto(`${opened.world.address}/said`)
  return page
}

const ABOVE = "document.querySelector('#evidence blockquote').getBoundingClientRect().top"

describe.runIf(opened.path)('what a stranger wrote', () => {
  it.each([1280, 390])('covers nothing beside it, however its letters are stacked, at %i', async (width) => {
    const pictures: Buffer[] = []
    for (const text of ['OVERPAINT', STACKED]) {
      const page = await open(text, width)
      const height = Math.floor(await numberOf(page, ABOVE))
      pictures.push(await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height } }))
      await page.close()
    }
    const [calm, stacked] = pictures
    expect(calm && stacked?.equals(calm)).toBe(true)
  })

  it.each([1280, 390])('has a low box that the keyboard scrolls, however many lines it has, at %i', async (width) => {
    const page = await open(TALL, width)
    expect(await numberOf(page, 'document.documentElement.scrollHeight')).toBeLessThan(6000)
    await bringAxe(page)
    expect(await axeViolations(page, 'all')).toEqual([])
    await page.evaluate("document.querySelector('#evidence blockquote').focus()")
    const below =
      "(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('#evidence blockquote'))"
    // A key may come before a busy browser is ready for it.
    const afterEnd = async (): Promise<number> => {
      await page.keyboard.press('End')
      return await numberOf(page, below)
    }
    await expect.poll(afterEnd).toBeLessThan(2)
    await page.close()
  })
})
