import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, ended, joined, ROOT } from '../support/program.ts'
import type { Seen } from './alone.ts'

/** A network of its own with nothing in it but loopback; not every machine lets its users make one. */
const ALONE = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] as const

function canBeAlone(): boolean {
  try {
    execFileSync('unshare', [...ALONE, 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('npm start', () => {
  it.runIf(canBeAlone())(
    'opens the whole world with no network beyond loopback, and rests when nothing is probed',
    async () => {
      const folder = temporaryFolder()
      const script = [join(ROOT, 'dist/test/sandbox/alone.js'), joined('sandbox'), folder]
      const child = spawn('unshare', [...ALONE, process.execPath, ...script], { env: cleanEnvironment({}) })
      const { code, out, err } = await ended(child)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      const seen: Seen = JSON.parse(out)
      expect(seen).toMatchObject({ interfaces: ['lo'], home: 200, posts: 2, code: 0 })
      expect(seen.reviews).toBeGreaterThanOrEqual(4)
      process.stdout.write(`The idle world uses ${seen.idleCores.toFixed(3)} of a core.\n`)
      expect(seen.idleCores).toBeLessThan(0.1)
      expect(seen.story).toContain('Three things to try')
      rmSync(folder, { recursive: true, force: true })
    },
    120_000,
  )

  it('refuses a setting that cannot be before it opens anything', async () => {
    const folder = temporaryFolder()
    const env = cleanEnvironment({ PORT: '99999', PROBE_INTERVAL: 'soon', DATA_DIR: join(folder, 'world') })
    const { code, out, err } = await ended(spawn(process.execPath, [joined('sandbox')], { env }))
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^tollbook: .*PORT: .*PROBE_INTERVAL: .*\)\n$/),
    })
    expect(out).not.toContain('A chain')
    rmSync(folder, { recursive: true, force: true })
  })
})
