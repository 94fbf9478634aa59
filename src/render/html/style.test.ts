import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { EMPTY_HOST, SITE } from '../testing/sample-views.ts'
import { CSP } from './csp.ts'
import { hostPage } from './pages/host.tsx'
import { CSS } from './style.ts'

type Palette = Readonly<Record<string, string>>

const palettes: readonly Palette[] = Array.from(CSS.matchAll(/:root\{([^}]*)\}/g), ([, block = '']) =>
  Object.fromEntries(
    Array.from(block.matchAll(/--(\w+):(#[0-9a-f]{3,6})/g), ([, name = '', value = '']) => [name, value]),
  ),
)

/** Relative luminance, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : (hex.slice(1).match(/../g) ?? [])
  const [r = 0, g = 0, b = 0] = digits.map((pair) => {
    const part = Number.parseInt(pair, 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one = '', other = ''): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

describe('the style sheet', () => {
  it('is allowed by the content security policy exactly as the pages carry it', () => {
    const carried = /<style>(.*?)<\/style>/s.exec(hostPage(SITE, EMPTY_HOST, { cards: false, cursor: null }))?.[1] ?? ''
    const hash = createHash('sha256').update(carried).digest('base64')
    expect(CSP).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
  })

  it('stays under 8 kB compressed and loads nothing', () => {
    expect(gzipSync(CSS).length).toBeLessThan(8000)
    expect(CSS).not.toMatch(/url\(|@import|@font-face|text-transform/)
  })

  it('lets no stranger paint over what stands beside, and no text be taller than a screen', () => {
    expect(CSS).toMatch(/\.said blockquote\{overflow:hidden auto;max-height:24rem/)
    expect(CSS).toMatch(/\.note,h1,h3,th,td,pre[^{]*\{overflow:clip/)
  })

  it('keeps the colours of a legend where a reader chose their own', () => {
    expect(CSS).toMatch(/\.legend li::before\{[^}]*forced-color-adjust:none/)
  })

  it('keeps them on paper, and names the bars of a list where its head is not shown', () => {
    expect(CSS).toMatch(/\.legend li::before\{[^}]*print-color-adjust:exact/)
    expect(CSS).toContain('td:has(.days)::before{content:"Probes, 30 days"')
  })

  it('gives text a contrast of 4.5 and marks one of 3, on every surface, light and dark', () => {
    const [light = {}, dark = {}] = palettes
    for (const palette of [light, dark]) {
      for (const surface of ['bg', 'card', 'wash']) {
        for (const text of ['ink', 'soft', 'link']) {
          expect(contrast(palette[text], palette[surface]), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
        }
        for (const mark of ['ok', 'due', 'bad', 'off']) {
          expect(contrast(palette[mark], palette[surface]), `${mark} on ${surface}`).toBeGreaterThanOrEqual(3)
        }
      }
      expect(contrast(palette.on, palette.link)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(palette.warn, palette.warnbg)).toBeGreaterThanOrEqual(4.5)
    }
  })
})
