import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { problem } from '../../src/domain/problem-kinds.ts'
import { routerPath } from '../../src/http/endpoint.ts'
import { ENDPOINTS } from '../../src/http/endpoints.ts'
import { problemAnswer } from '../../src/http/problems.ts'
import { axeViolations, bringAxe, numberOf, tabThrough, troubleOf } from './looking.ts'
import { openForTests } from './opened.ts'
import { NO_PAGES, PROBLEMS, SIGHTS } from './pages.ts'
import { A_POST, A_ROUTE, BUSY, LARGE } from './world.ts'

const opened = openForTests()

const SIZES = [1280, 390] as const
const WIDTHS = [320, 480, 800, 1000, 1200] as const
/** A table wider than its box loses what does not fit. */
const TABLES_CUT =
  "[...document.querySelectorAll('.tablebox')].filter((box) => box.scrollWidth > box.clientWidth).length"
/** What is folded, too: wider than its box a table may be where the box scrolls and the keyboard reaches it. */
const UNREACHED = `[...document.querySelectorAll('.tablebox')].filter((box) => box.scrollWidth > box.clientWidth &&
  !(getComputedStyle(box).overflowX === 'auto' && box.matches('[tabindex="0"], :has(a[href])'))).length`
const UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"
const SCHEMES = ['light', 'dark'] as const

/** In a browser that runs no script. */
async function openWithoutScript(path: string): Promise<Page> {
  const page = await opened.browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${opened.world.address}${path}`)
  return page
}

/** Axe at both widths and in both schemes, no sideways scrolling and no table cut from 320 px on, in one visit. */
async function look(page: Page): Promise<string[]> {
  const found: string[] = []
  await bringAxe(page)
  for (const width of SIZES) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const violations = await axeViolations(page, colorScheme === 'light' ? 'all' : 'colours')
      found.push(...violations.map((line) => `${width} ${colorScheme} ${line}`))
    }
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const across = await numberOf(page, 'document.documentElement.scrollWidth')
    if (across > width) found.push(`scrolls sideways at ${width}: ${across}`)
    const cut = await numberOf(page, TABLES_CUT)
    if (cut > 0) found.push(`cuts ${cut} tables at ${width}`)
  }
  await page.evaluate(UNFOLD)
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const unreached = await numberOf(page, UNREACHED)
    if (unreached > 0) found.push(`hides part of ${unreached} unfolded tables at ${width}`)
    const across = await numberOf(page, 'document.documentElement.scrollWidth')
    if (across > width) found.push(`scrolls sideways at ${width}, unfolded: ${across}`)
  }
  return found
}

describe.runIf(opened.path)('every page', () => {
  it.each(SIGHTS)(
    'is accessible, quiet, fits and is reached all over by the keyboard alone: $name',
    async ({ path, status }) => {
      const { page, trouble, status: answered } = await opened.visit(path)
      expect(answered).toBe(status)
      expect(await numberOf(page, 'document.scripts.length')).toBe(0)
      const { all, reached, ringless } = await tabThrough(page)
      expect(reached).toEqual(Array.from({ length: all }, (_, index) => index))
      expect(ringless).toEqual([])
      expect(await look(page)).toEqual([])
      expect(trouble).toEqual([])
    },
  )

  it.each(PROBLEMS)('of the problem %s is one, too', async (slug) => {
    const page = await opened.browser.newPage()
    const trouble = troubleOf(page)
    const asked = { requestId: 'request-1', accept: 'text/html', format: null }
    const { status, headers, body } = problemAnswer(
      { baseUrl: opened.world.address },
      problem(slug, 'A sentence on what happened.'),
      asked,
    )
    await page.route('**/problem', (route) =>
      route.fulfill({ status, headers: { ...headers }, body: Buffer.from(body) }),
    )
    await page.goto(`${opened.world.address}/problem`)
    expect(await page.title()).toContain('Tollbook')
    expect(await look(page)).toEqual([])
    expect(trouble).toEqual([])
    await page.close()
  })

  it('would not pass with text that cannot be read, or without a name for a picture', async () => {
    const { page } = await opened.visit('/probing')
    await bringAxe(page)
    await page.evaluate(
      "document.querySelector('.lead').style.color = '#eee'; document.querySelector('h1').append(new Image())",
    )
    const found = async (which: 'all' | 'colours') =>
      new Set((await axeViolations(page, which)).map((line) => line.split(':')[0]))
    expect(await found('all')).toEqual(new Set(['color-contrast', 'image-alt']))
    expect(await found('colours')).toEqual(new Set(['color-contrast']))
  })

  it('can be skipped into, past the navigation', async () => {
    const { page } = await opened.visit(`/hosts/${BUSY}`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip to content')
    expect(await numberOf(page, 'document.activeElement.getBoundingClientRect().top')).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.querySelector('main').contains(document.activeElement)")).toBe(true)
  })

  it('is among those looked at here, or answers no page at all', async () => {
    const routes = ENDPOINTS.filter(({ method }) => method === 'get').map(({ path }) => routerPath(path))
    expect(routes.length).toBeGreaterThan(15)
    const looked = new Set(SIGHTS.map(({ route }) => route))
    expect(routes.filter((route) => !looked.has(route) && !NO_PAGES.includes(route))).toEqual([])
    const asPage: string[] = []
    for (const route of NO_PAGES) {
      const path = route.replace(':host', BUSY).replace(':id', A_POST)
      const answer = await fetch(`${opened.world.address}${path}`, { headers: { Accept: 'text/html' } })
      if (answer.ok && answer.headers.get('content-type')?.startsWith('text/html')) asPage.push(route)
      await answer.body?.cancel()
    }
    expect(asPage).toEqual([])
  })
})

describe.runIf(opened.path)('the budget', () => {
  it.each([
    ['/', 'the home page with 50 hosts'],
    [`/hosts/${BUSY}`, 'a host with 25 routes and 20 posts'],
  ])('of %s, %s, is 30 kB compressed and 1,000 nodes', async (path) => {
    const { page } = await opened.visit(path)
    expect(await numberOf(page, "document.querySelectorAll('*').length")).toBeLessThanOrEqual(1000)
    for (const coding of ['gzip', 'br']) {
      const answer = await fetch(`${opened.world.address}${path}`, {
        method: 'HEAD',
        headers: { 'Accept-Encoding': coding },
      })
      expect(answer.headers.get('content-encoding')).toBe(coding)
      expect(Number(answer.headers.get('content-length'))).toBeLessThanOrEqual(30_000)
    }
  })
})

describe('every page', () => {
  it.each(SIGHTS)(
    'is compressed as the client likes it, with no backtick of our own words left in it: $name',
    async ({ path }) => {
      for (const coding of ['gzip', 'br']) {
        const answer = await fetch(`${opened.world.address}${path}`, {
          headers: { Accept: 'text/html', 'Accept-Encoding': coding },
        })
        expect(answer.headers.get('content-encoding')).toBe(coding)
        expect(answer.headers.get('vary')).toContain('Accept-Encoding')
        expect((await answer.text()).replaceAll(/<(pre|blockquote|code)[\s\S]*?<\/\1>/g, '')).not.toContain('`')
      }
    },
  )
})

describe.runIf(opened.path)('a host with more routes than a page shows', () => {
  it('is under 4,000 px high on a desk', async () => {
    const { page } = await opened.visit(`/hosts/${LARGE}`)
    expect(await numberOf(page, 'document.documentElement.scrollHeight')).toBeLessThan(4000)
    expect(await page.locator('#routes tbody tr').count()).toBe(50)
  })
})

/** What a click leads to comes when it comes. */
const shown = <T>(what: () => T) => expect.poll(what, { timeout: 10_000 })

describe.runIf(opened.path)('a route on a phone', () => {
  it('has the names of its sources in one piece, and no table that is wider than its box', async () => {
    for (const width of [375, 390, 412]) {
      const { page } = await opened.visit(A_ROUTE, { width })
      // As long as the longest word of a source that is swept unless told.
      const pieces = `[...document.querySelectorAll('#prices th[scope=row]')].map((name) => {
        name.firstChild.data = 'ultravioleta'
        const range = document.createRange()
        range.selectNodeContents(name.firstChild)
        return range.getClientRects().length
      })`
      expect(await page.evaluate(pieces)).toEqual([1, 1, 1])
      expect(await numberOf(page, TABLES_CUT)).toBe(0)
    }
  })
})

describe.runIf(opened.path)('without a line of script', () => {
  it('the search form finds a host, and its facets lead on', async () => {
    const page = await openWithoutScript('/')
    await page.getByLabel('Host name, path or description').fill('weather')
    await page.getByRole('button', { name: 'Search' }).click()
    await shown(() => page.url()).toContain('q=weather')
    await page.getByRole('link', { name: /^in the last day/ }).click()
    await shown(() => new URL(page.url()).searchParams.get('requested')).toBe('day')
    expect(new URL(page.url()).searchParams.get('q')).toBe('weather')
    await page.getByRole('link', { name: BUSY }).click()
    await shown(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(BUSY)
    await page.close()
  })

  it('the routes of a host are filtered and one of them opened', async () => {
    const page = await openWithoutScript(`/hosts/${BUSY}`)
    await page.getByLabel('Part of a path').fill('FORECAST')
    await page.getByLabel('Method').selectOption('GET')
    await page.getByRole('button', { name: 'Filter routes' }).click()
    await shown(() => page.getByText('1 of 25 routes fit, showing 1').count()).toBe(1)
    await page.getByRole('link', { name: 'GET /v1/forecast' }).first().click()
    await shown(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('GET /v1/forecast')
    await page.getByRole('link', { name: 'Older entries' }).click()
    await shown(() => page.getByRole('link', { name: 'Newest entries' }).count()).toBe(1)
    await page.close()
  })

  it('paper gets the evidence without the ways through the site', async () => {
    const { page } = await opened.visit(`/hosts/${BUSY}?view=cards`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav:visible, form:visible').count()).toBe(0)
    expect(await page.locator('article').first().getByText('Machine-observed probe history').isVisible()).toBe(true)
  })
})
