import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from './support/engines.ts'
import { cleanEnvironment, listening, ROOT, type Running } from './support/program.ts'

describe('npm start', () => {
  let world: Running
  let folder: string
  const start = (): Promise<Running> =>
    listening(
      spawn(process.execPath, [join(ROOT, 'dist/sandbox/start.js')], {
        cwd: folder,
        env: cleanEnvironment({ PORT: '0' }),
      }),
    )
  const text = async (path: string): Promise<string> => (await fetch(`${world.address}${path}`)).text()

  beforeAll(async () => {
    folder = temporaryFolder()
    world = await start()
  })

  afterAll(async () => {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('shows a directory with sample sellers', async () => {
    expect(await text('/')).toContain('weather.seller.test')
  })

  it('shows all four result classes', async () => {
    expect(await text('/hosts/flaky.seller.test')).toMatch(
      /[1-9]\d* answers · [1-9]\d* 402-correct · [1-9]\d* failed · [1-9]\d* unreachable/,
    )
  })

  it('shows a verified route, one that differs and two sources that disagree', async () => {
    expect(await text('/v1/hosts/weather.seller.test')).toContain('"probe_status":"verified"')
    expect(await text('/v1/hosts/dearer.seller.test')).toContain('"probe_status":"differs"')
    const disagreeing = JSON.parse(await text('/v1/hosts/disagree.seller.test'))
    expect(new Set(disagreeing.routes[0].listings.map((row: { price: string }) => row.price))).toEqual(
      new Set(['0.010000', '0.250000']),
    )
  })

  it('cuts 300 routes at 50 and leads on to all of them', async () => {
    const first = JSON.parse(await text('/v1/hosts/catalogue.seller.test'))
    expect(first.routes).toHaveLength(50)
    expect(first.counters.routes).toBe(300)
    let seen = 50
    for (let next = first.next; next !== null; ) {
      const page = JSON.parse(await (await fetch(next)).text())
      seen += page.routes.length
      next = page.next
    }
    expect(seen).toBe(300)
  })

  it('continues where it was when started again', async () => {
    const before = JSON.parse(await text('/v1/hosts/weather.seller.test')).counters.routes
    expect((await world.stop()).code).toBe(0)
    world = await start()
    expect(JSON.parse(await text('/v1/hosts/weather.seller.test')).counters.routes).toBe(before)
  })
})
