import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { chromiumPath, openBrowser } from './chromium.ts'
import { openWorld, type World } from './world.ts'

/** What the tests of a file look at, and with what; opened before the first of them and closed after the last. */
export interface Opened {
  /** `undefined`: there is no browser here. */
  readonly path: string | undefined
  readonly world: World
  readonly browser: Browser
}

export function openForTests(): Opened {
  const path = chromiumPath()
  let world: World | undefined
  let browser: Browser | undefined
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
  }
}
