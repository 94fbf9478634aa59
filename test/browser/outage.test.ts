import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openForTests } from './opened.ts'
import { OUTAGES } from './world.ts'

const opened = openForTests()

const measured = z.object({ trouble: z.number(), fine: z.number(), widest: z.number(), height: z.number() })

/**
 * Counts the pixels of a picture: those of the two colours of what went well, and those that are neither these nor the
 * ground. `widest` is the longest row of trouble, in pixels.
 */
const MEASURE = `async (picture, colours) => {
  const image = await createImageBitmap(await (await fetch(picture)).blob())
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  const near = (at, [r, g, b]) => Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 60
  let trouble = 0, fine = 0, widest = 0
  for (let y = 0; y < image.height; y++) {
    let run = 0
    for (let x = 0; x < image.width; x++) {
      const at = 4 * (y * image.width + x)
      const isGround = near(at, colours.ground)
      const isFine = near(at, colours.due) || near(at, colours.ok)
      if (isFine) fine++
      // Between two fine columns their colours blend with the ground: that is neither.
      const isBlend = !isFine && !isGround && data[at + 2] > data[at] + 20
      const isTrouble = !isFine && !isGround && !isBlend
      if (isTrouble) trouble++
      run = isTrouble ? run + 1 : isGround ? run : 0
      widest = Math.max(widest, run)
    }
  }
  return { trouble, fine, widest, height: image.height }
}`

const COLOURS = { due: [43, 92, 192], ok: [31, 122, 71], ground: [255, 255, 255] }

describe.runIf(opened.path)('an outage', () => {
  for (const days of [1, 2, 3] as const) {
    it.each([1280, 390])(`of ${days} of 60 days covers at least its share of the chart at %i px`, async (width) => {
      const { page } = await opened.visit(`/hosts/${OUTAGES[days]}`, { width })
      const chart = page.locator('#results .days')
      const picture = (await chart.screenshot()).toString('base64')
      const title = await chart.locator('title').filter({ hasText: '4 failed' }).count()
      await page.goto('about:blank')
      const found: unknown = await page.evaluate(
        `(${MEASURE})(${JSON.stringify(`data:image/png;base64,${picture}`)}, ${JSON.stringify(COLOURS)})`,
      )
      const { trouble, fine, widest, height } = measured.parse(found)
      expect(title).toBe(days)
      expect(trouble / (trouble + fine)).toBeGreaterThanOrEqual(days / 60)
      // As wide as its days, and from foot to top.
      expect(widest).toBeGreaterThanOrEqual(Math.floor(((width - 80) / 60) * days * 0.7))
      expect(trouble / height).toBeGreaterThanOrEqual(widest * 0.6)
    })
  }
})
