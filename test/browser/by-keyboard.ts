import type { Page } from 'playwright-core'

/** Presses nobody makes: a page that takes more has lost the reader. */
const MOST_PRESSES = 200

const SAYS = `(() => { const one = document.activeElement
  return [one.getAttribute('aria-label'), one.labels?.[0]?.textContent, one.innerText, one.querySelector?.('img')?.alt].join(' ') })()`

/** Tabs on from where the reader is until something that says so has the focus. */
export async function tabTo(page: Page, words: RegExp): Promise<void> {
  for (let press = 0; press < MOST_PRESSES; press++) {
    await page.keyboard.press('Tab')
    if (words.test(String(await page.evaluate(SAYS)))) return
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
