import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromiumPath, openBrowser } from '../test/browser/chromium.ts'
import { A_ROUTE, BUSY, OUTAGES, openWorld } from '../test/browser/world.ts'

/** `node dist/scripts/screenshots.js [folder]` after a build: the pictures in docs/screenshots. */
interface Shot {
  readonly name: string
  readonly path: string
  readonly width: number
  readonly height: number
  readonly scheme: 'light' | 'dark'
  /** Scrolled to before the picture is taken. */
  readonly at?: string
}

const DESK = { width: 1280, height: 860, scheme: 'light' } as const
const HAND = { width: 390, height: 844, scheme: 'light' } as const

const SHOTS: readonly Shot[] = [
  { ...DESK, name: 'home', path: '/' },
  { ...DESK, name: 'home-dark', path: '/', scheme: 'dark' },
  { ...HAND, name: 'home-390', path: '/' },
  { ...DESK, name: 'host', path: `/hosts/${BUSY}` },
  { ...HAND, name: 'host-390-dark', path: `/hosts/${BUSY}`, scheme: 'dark' },
  { ...DESK, name: 'cards', path: `/hosts/${BUSY}?view=cards`, at: '#routes' },
  { ...DESK, name: 'route', path: A_ROUTE },
  { ...DESK, name: 'search', path: '/?q=cheap+image+api' },
  { ...HAND, name: 'outage-390', path: `/hosts/${OUTAGES[3]}`, at: '#results' },
  { ...DESK, name: 'probes', path: `/hosts/${BUSY}/probes` },
  { ...DESK, name: 'empty', path: '/?q=wether&rail=mpp&max_price=0.001', height: 760 },
  { ...DESK, name: 'error', path: '/hosts/api.wether.example', height: 660 },
]

const folder = resolve(process.argv[2] ?? 'docs/screenshots')
mkdirSync(folder, { recursive: true })
const world = await openWorld()
const browser = await openBrowser(chromiumPath() ?? '')
try {
  for (const { name, path, width, height, scheme, at } of SHOTS) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme })
    await page.goto(`${world.address}${path}${at ?? ''}`)
    await page.screenshot({ path: resolve(folder, `${name}.png`) })
    await page.close()
    process.stdout.write(`${name}.png\n`)
  }
} finally {
  await browser.close()
  await world.stop()
}
