import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { chromiumPath, openBrowser } from './chromium.ts'
import { troubleOf } from './looking.ts'
import { openWorld, type World } from './world.ts'

export interface Look {
  /** 1280 unless told. */
  readonly width?: number
  /** Light unless told. */
  readonly colorScheme?: 'light' | 'dark'
}

export interface Visit {
  readonly page: Page
  readonly status: number
  /** What has gone wrong since, until the next visit. */
  readonly trouble: readonly string[]
}

/** What the tests of a file look at, and with what; opened before the first of them and closed after the last. */
export interface Opened {
  /** `undefined`: there is no browser here. */
  readonly path: string | undefined
  readonly world: World
  readonly browser: Browser
  /** Goes to a path of the world in the file's one page: to open another takes longer than most of what is looked at. */
  visit(path: string, look?: Look): Promise<Visit>
}

export function openForTests(): Opened {
  const path = chromiumPath()
  let world: World | undefined
  let browser: Browser | undefined
  let kept: { readonly page: Page; readonly trouble: string[] } | undefined
  beforeAll(async () => {
    world = await openWorld()
    if (path !== undefined) browser = await openBrowser(path)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })
  return {
    path,
    get world() {
      if (world === undefined) throw new Error('the world is opened before the tests')
      return world
    },
    get browser() {
      if (browser === undefined) throw new Error('there is no browser here')
      return browser
    },
    async visit(to, { width = 1280, colorScheme = 'light' } = {}) {
      if (kept === undefined) {
        const opened = await this.browser.newPage()
        kept = { page: opened, trouble: troubleOf(opened) }
      }
      const { page, trouble } = kept
      trouble.length = 0
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ media: 'screen', colorScheme })
      const answer = await page.goto(`${this.world.address}${to}`)
      return { page, trouble, status: answer?.status() ?? 0 }
    },
  }
}
