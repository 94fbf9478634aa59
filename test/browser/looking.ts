import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

// What a browser is asked about a page. Evaluated through the debugger, so that the page's own policy stays as it is.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Once per page, before `axeViolations`. */
export const bringAxe = async (page: Page): Promise<void> => {
  await page.evaluate(AXE)
}

/** One element of each way in which text looks on the page: its colours, those behind it, and its size. */
const LOOKS = `(() => {
  const looks = new Map()
  const behind = new Map()
  const groundOf = (element) => {
    if (element === null) return ''
    if (!behind.has(element)) {
      const { color, backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
      behind.set(element, [groundOf(element.parentElement), color, backgroundColor, backgroundImage, opacity].join('|'))
    }
    return behind.get(element)
  }
  const isText = ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== ''
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.matches('input, select') && ![...element.childNodes].some(isText)) continue
    const { fontSize, fontWeight, textDecorationLine } = getComputedStyle(element)
    const look = [element.localName, groundOf(element), fontSize, fontWeight, textDecorationLine].join('|')
    if (!looks.has(look)) looks.set(look, element)
  }
  return [...looks.values()]
})()`

/** What axe is told of: the whole page, all its rules and how far what is pressed lies apart, or what a colour scheme can change. */
const ASKED = {
  all: "document, { rules: { 'target-size': { enabled: true } }, ",
  colours: `{ include: ${LOOKS} }, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }, `,
} as const

/** Everything axe finds, best practices and contrast too, as lines that say where. */
export async function axeViolations(page: Page, which: keyof typeof ASKED = 'all'): Promise<string[]> {
  const found: unknown = await page.evaluate(
    `axe.run(${ASKED[which]}preload: false, resultTypes: ['violations'] }).then(({ violations }) =>
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

export const FOCUSABLE = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]')]
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
  await pressTab(page, all)
  const { reached, ringless } = JSON.parse(String(await page.evaluate('JSON.stringify(tabbed)')))
  return { all, reached, ringless }
}

/** One after the other, though the answer to one is not waited for before the next. */
export const pressTab = async (page: Page, times: number): Promise<void> => {
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Tab')))
}

export const numberOf = async (page: Page, expression: string): Promise<number> =>
  Number(await page.evaluate(expression))
