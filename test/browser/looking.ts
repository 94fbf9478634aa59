import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

// What a browser is asked about a page. Evaluated through the debugger, so that the page's own policy stays as it is.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Once per page, before `axeViolations`. */
export const bringAxe = async (page: Page): Promise<void> => {
  await page.evaluate(AXE)
}

/** Those that the colour scheme can change the outcome of. */
const COLOUR_RULES = `runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }, `

/** Everything axe finds, best practices and contrast too, as lines that say where. */
export async function axeViolations(page: Page, which: 'all' | 'colours' = 'all'): Promise<string[]> {
  const found: unknown = await page.evaluate(
    `axe.run(document, { ${which === 'all' ? '' : COLOUR_RULES}preload: false, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
  )
  if (!Array.isArray(found)) throw new Error('axe answered nothing')
  return found.map(String)
}

/** What goes wrong while a page is open: errors on the console, and what its policy has refused. */
export function troubleOf(page: Page): string[] {
  const trouble: string[] = []
  page.on('console', (message) => {
    // A browser logs every answer of an error status; that is no fault of the page.
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource'))
      trouble.push(message.text())
  })
  page.on('pageerror', (error) => trouble.push(error.message))
  page.on('requestfailed', (request) => trouble.push(`${request.url()} ${request.failure()?.errorText}`))
  return trouble
}

const FOCUSABLE = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
  .filter((element) => element.checkVisibility())`

interface Tabbed {
  readonly all: number
  /** Places among all that can take the focus, in the order in which they took it. */
  readonly reached: readonly number[]
  /** Those that do not show it. */
  readonly ringless: readonly string[]
}

/** How far the Tab key alone leads, from the top of the page. */
export async function tabThrough(page: Page): Promise<Tabbed> {
  const all = await numberOf(page, `(window.all = ${FOCUSABLE}).length`)
  await page.evaluate(`window.tabbed = { reached: [], ringless: [] }
    document.addEventListener('focusin', ({ target }) => {
      tabbed.reached.push(all.indexOf(target))
      if (getComputedStyle(target).outlineStyle === 'none') tabbed.ringless.push(target.outerHTML.slice(0, 80))
    })`)
  for (let press = 0; press < all; press++) await page.keyboard.press('Tab')
  const { reached, ringless } = JSON.parse(String(await page.evaluate('JSON.stringify(tabbed)')))
  return { all, reached, ringless }
}

export const numberOf = async (page: Page, expression: string): Promise<number> =>
  Number(await page.evaluate(expression))
