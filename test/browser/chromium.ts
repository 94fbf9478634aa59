import { AsyncLocalStorage } from 'node:async_hooks'
import { type Browser, chromium } from 'playwright-core'
import { said } from '../support/debian.ts'

/** The first is Chromium without windows: the same pages for three quarters of the processor. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'] as const

const followed = new Set<AsyncLocalStorage<unknown>>()
const { run } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...rest: Parameters<typeof run>) {
  followed.add(this)
  return run.apply(this, rest)
} as typeof run

/**
 * The system's own Chromium. Whoever drives it has Node follow every promise of this process, which takes a sixteenth of
 * the time of whatever runs here afterwards; so that ends with the browser.
 */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  browser.once('disconnected', () => {
    for (const storage of followed) storage.disable()
  })
  return browser
}

/** Where the browser is, installed first where that can be done; `undefined` and a word about it where it cannot. */
export function chromiumPath(): string | undefined {
  const path = process.env.CHROMIUM || installed() || (install() && installed())
  if (path) return path
  process.stderr.write('No Chromium: pages are not looked at. Install it, or name its path in CHROMIUM.\n')
  return undefined
}

function installed(): string | undefined {
  for (const name of NAMES) {
    const path = said('which', [name])?.trim()
    if (path) return path
  }
  return undefined
}

/** From the system's own packages, which only root may. */
function install(): boolean {
  if (process.getuid?.() !== 0 || said('which', ['apt-get']) === undefined) return false
  process.stderr.write('Installing Chromium for the browser tests.\n')
  const apt = (...argv: string[]): boolean => said('apt-get', ['-qq', ...argv]) !== undefined
  const get = (name: string): boolean => apt('install', '-y', '--no-install-recommends', name)
  return apt('update') && (get('chromium-headless-shell') || get('chromium'))
}
