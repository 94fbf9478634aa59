import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { step, stepBySearch, tabTo } from './by-keyboard.ts'
import { openForTests } from './opened.ts'
import { BUSY, DOWN, IMAGES } from './world.ts'

const opened = openForTests()

const SEARCH = /Host name, path or description/
const [CHEAPEST] = IMAGES
const EXACT_MINUTE = /\d{4}-\d\d-\d\d \d\d:\d\d/

/** From the home page, with the keyboard alone. */
async function home(width: number): Promise<Page> {
  const { page } = await opened.visit('/', { width })
  return page
}

const textOf = async (page: Page, selector: string): Promise<string> => page.locator(selector).first().innerText()

/** Whether it is there without scrolling, and whole. */
const isInView = async (page: Page, selector: string): Promise<boolean> =>
  Boolean(
    await page.evaluate(`(() => { const { top, bottom, width } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight && width > 0 })()`),
  )

describe.runIf(opened.path).each([1280, 390])(
  'at %i px, by keyboard, in at most two steps from the home page',
  (width) => {
    it('one finds the cheapest image API', async () => {
      const page = await home(width)
      await stepBySearch(page, SEARCH, 'cheap image api')
      const rows = page.locator('tbody tr')
      expect(await rows.count()).toBe(IMAGES.length)
      expect(await rows.first().innerText()).toContain(CHEAPEST)
      expect(await rows.first().innerText()).toContain('POST /v1/images/generate 0.002000, verified')
    })

    it('one sees that it is alive now', async () => {
      const page = await home(width)
      await stepBySearch(page, SEARCH, CHEAPEST)
      expect(await textOf(page, 'tbody tr')).toMatch(/requested payment (just now|\d+ min ago)/)
      await step(page, new RegExp(`^[^]*${CHEAPEST}`))
      expect(await textOf(page, '.now')).toMatch(/^Requested payment (just now|\d+ min ago) \(2 of 2 routes\) 20\d\d-/)
      expect(await isInView(page, '.now')).toBe(true)
    })

    it('one sees since when it fails', async () => {
      const page = await home(width)
      await stepBySearch(page, SEARCH, DOWN)
      expect(await textOf(page, 'tbody tr')).toMatch(/failing since \d{4}-\d\d-\d\d/)
      await step(page, new RegExp(DOWN))
      const now = await textOf(page, '.now')
      expect(now).toMatch(/^Failing since \d{4}-\d\d-\d\d \d\d:\d\d \(HTTP 503\); last requested payment/)
      expect(now).toMatch(EXACT_MINUTE)
      expect(await isInView(page, '.now')).toBe(true)
    })

    it('one sees whether it asks for what it lists', async () => {
      const page = await home(width)
      await stepBySearch(page, SEARCH, BUSY)
      expect(await textOf(page, 'tbody tr')).toContain('differs on 1 of 25 routes, asks 0.003000')
      await step(page, new RegExp(BUSY))
      expect(await textOf(page, '.checkline')).toBe('Price check: differs on 1 of 25 routes, asks 0.003000')
      expect(await isInView(page, '.checkline')).toBe(true)
    })

    it('one follows it', async () => {
      const page = await home(width)
      await stepBySearch(page, SEARCH, BUSY)
      await step(page, new RegExp(BUSY))
      expect(await isInView(page, '.follow')).toBe(true)
      await tabTo(page, /^\s*Feed/)
      const href = await page.evaluate('document.activeElement.href')
      const feed = await fetch(String(href))
      expect(feed.headers.get('content-type')).toContain('application/atom+xml')
      expect(await feed.text()).toContain('<subtitle type="text">Unreachable since')
    })

    it('one finds the badge, and what to paste for it', async () => {
      const page = await home(width)
      await stepBySearch(page, SEARCH, BUSY)
      await step(page, new RegExp(BUSY))
      expect(await isInView(page, '.follow img')).toBe(true)
      expect(Number(await page.evaluate("document.querySelector('.follow img').naturalWidth"))).toBeGreaterThan(100)
      await tabTo(page, /For sellers/)
      await page.keyboard.press('Enter')
      expect(await textOf(page, '#sellers pre:last-of-type')).toContain(`/hosts/${BUSY}/badge.svg`)
    })

    it('one learns why a route is missing', async () => {
      const page = await home(width)
      await step(page, /^\s*Sellers/)
      expect(await page.getByRole('heading', { name: 'Why is my route missing?' }).count()).toBe(1)
      await stepBySearch(page, /Your host/, BUSY)
      const why = page.getByRole('link', { name: 'Why a route is listed, missing, probed or not' })
      expect(await why.getAttribute('href')).toBe(`/hosts/${BUSY}/why`)
    })

    it('one finds how to write a review', async () => {
      const page = await home(width)
      await stepBySearch(page, SEARCH, BUSY)
      await step(page, new RegExp(BUSY))
      expect(await textOf(page, '#example pre')).toMatch(/^curl -X POST .*\/v1\/reviews/)
      await tabTo(page, /Review-submission example/)
      await page.keyboard.press('Enter')
      expect(await isInView(page, '#example h2')).toBe(true)
    })

    it('one reads what a verified buyer wrote', async () => {
      const page = await home(width)
      await step(page, new RegExp(BUSY))
      await step(page, /^\s*4\s*$/)
      expect(new URL(page.url()).pathname).toBe(`/hosts/${BUSY}/reviews`)
      const first = await textOf(page, '.said')
      expect(first).toMatch(/^Paid once, got the forecast in 80 ms\.\s+Verified buyer/)
    })
  },
)
