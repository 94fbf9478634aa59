import { type Browser, chromium } from 'playwright-core'
import { said } from '../support/debian.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'] as const

/** The system's own Chromium. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
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
  return apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium')
}
