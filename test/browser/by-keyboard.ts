import type { Page } from 'playwright-core'
import { FOCUSABLE, numberOf, pressTab } from './looking.ts'

/** Presses nobody makes: a page that takes more has lost the reader. */
const MOST_PRESSES = 200

const SAYS = `((one) =>
  [one.getAttribute('aria-label'), one.labels?.[0]?.textContent, one.innerText, one.querySelector?.('img')?.alt].join(' '))`

/** Tabs on from where the reader is to the next thing that says so. */
export async function tabTo(page: Page, words: RegExp): Promise<void> {
  // How many presses it takes is looked up, and that they lead there is seen.
  const away = await numberOf(
    page,
    `(() => { const all = ${FOCUSABLE}
      const from = all.indexOf(document.activeElement) + 1
      return all.slice(from).findIndex((one) => ${words}.test(${SAYS}(one))) + 1 })()`,
  )
  if (away > 0 && away <= MOST_PRESSES) {
    await pressTab(page, away)
    if (words.test(String(await page.evaluate(`${SAYS}(document.activeElement)`)))) return
  }
  throw new Error(`the Tab key does not lead to ${words}`)
}

/** One step: a link found by Tab and entered. */
export async function step(page: Page, words: RegExp): Promise<void> {
  await tabTo(page, words)
  const before = page.url()
  await Promise.all([page.waitForURL((url) => url.href !== before), page.keyboard.press('Enter')])
}

/** One step: a field found by Tab, filled by typing, and sent by Enter. */
export async function stepBySearch(page: Page, field: RegExp, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(text)
  const before = page.url()
  await Promise.all([page.waitForURL((url) => url.href !== before), page.keyboard.press('Enter')])
}
