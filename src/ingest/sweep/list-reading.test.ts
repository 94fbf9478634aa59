import { describe, expect, it } from 'vitest'
import { sendJson } from '../testing/loopback.ts'
import { item, items, offsetOf, offsetsAsked, pagedWorlds, sendPage } from '../testing/paged-world.ts'
import { SWEEP_LIMITS } from './sweep-limits.ts'

const world = pagedWorlds()

describe('a list of many pages', () => {
  it('loses nothing to a facilitator that rounds offsets down when the total shrinks', async () => {
    let all = items(1_003)
    const here = await world((url, response) => {
      const asked = offsetOf(url)
      const offset = asked - (asked % 100)
      sendJson(response, {
        x402Version: 2,
        items: all.slice(offset, offset + 100),
        pagination: { limit: 100, offset: asked, total: all.length },
      })
      if (asked === 800 && all.length === 1_003) all = [...all.slice(0, 50), ...all.slice(56)]
    })
    const outcome = await here.sweep()
    expect(outcome).toMatchObject({ status: 'complete', announced: 997, seen: 997 })
    expect(here.store.rows.size).toBe(1_003)
    expect(offsetsAsked(here).filter((offset) => offset % 100 !== 0)).toEqual([])
  })

  it('asks for as many items as the facilitator gives at once', async () => {
    const all = items(130)
    const limits: (string | null)[] = []
    const here = await world((url, response) => {
      limits.push(url.searchParams.get('limit'))
      const offset = Math.floor(offsetOf(url) / 40) * 40
      sendJson(response, { items: all.slice(offset, offset + 40), pagination: { limit: 40, offset, total: 130 } })
    })
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 130 })
    expect(offsetsAsked(here).slice(0, 4)).toEqual([0, 40, 80, 120])
    expect(limits.slice(0, 4)).toEqual(['100', '40', '40', '40'])
  })

  it('asks for the rest of a page that is shorter than it should be', async () => {
    const all = items(250)
    const here = await world((url, response) => {
      const offset = offsetOf(url)
      const most = offset === 100 ? 60 : 100
      sendJson(response, { items: all.slice(offset, offset + most), pagination: { limit: 100, offset, total: 250 } })
    })
    expect(await here.sweep()).toMatchObject({ status: 'complete' })
    expect(offsetsAsked(here).slice(0, 3)).toEqual([0, 100, 160])
    expect(here.store.rows.size).toBe(250)
  })

  it.each([
    ['a total', { total: 250 }],
    ['no total', {}],
  ])('counts no item twice where pages are shorter than their stated limit, with %s', async (_, told) => {
    const all = items(250)
    const here = await world((url, response) => {
      const offset = offsetOf(url)
      sendJson(response, { items: all.slice(offset, offset + 7), pagination: { limit: 100, offset, ...told } })
    })
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 250, stored: 250 })
    expect(offsetsAsked(here).slice(14, 17)).toEqual([98, 105, 112])
  })

  it('counts no item twice after one page that is shorter than the others', async () => {
    const all = items(450)
    const here = await world((url, response) => {
      const offset = offsetOf(url)
      const most = offset === 100 ? 60 : 100
      sendJson(response, { items: all.slice(offset, offset + most), pagination: { limit: 100, offset, total: 450 } })
    })
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 450, stored: 450 })
    expect(offsetsAsked(here).slice(0, 5)).toEqual([0, 100, 160, 260, 360])
  })

  it('does not call complete what ends a little before its announced end', async () => {
    const here = await world((url, response) => sendPage(response, url, items(490), 500))
    expect(await here.sweep()).toMatchObject({ status: 'partial', error: 'ended_early', seen: 490, announced: 500 })
  })

  it.each([0, 1, 99, 150, 249])('does not believe a total of %i that its pages contradict', async (total) => {
    const here = await world((url, response) => sendPage(response, url, items(250), total))
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 250, stored: 250 })
    expect(here.store.rows.size).toBe(250)
    const again = await here.sweep()
    expect([...here.store.rows.values()].filter(({ lastUs }) => lastUs < again.startedUs)).toEqual([])
  })

  it('asks for nothing more where the total is what it has met', async () => {
    const here = await world((url, response) => sendPage(response, url, items(100)))
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 100 })
    expect(offsetsAsked(here)).toEqual([0])
  })

  it('reads a list without a total twice, for nothing else tells whether it moved', async () => {
    let all = items(250)
    const here = await world((url, response) => {
      const offset = offsetOf(url)
      sendJson(response, { resources: all.slice(offset, offset + 100) })
      if (here.server.asked.length === 1) all = all.slice(1)
    })
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 249, announced: null })
    expect(here.store.rows.size).toBe(250)
  })

  it('gives up on a list that never stands still', async () => {
    let all = items(300)
    let next = 300
    const here = await world((url, response) => {
      sendPage(response, url, all)
      all = [item(next++), ...all]
    })
    expect(await here.sweep()).toMatchObject({ status: 'partial', error: 'list_moved' })
  })

  it('looks once more for what it would call gone: one item may leave while another comes', async () => {
    let all = items(300)
    let isMoving = false
    const here = await world((url, response) => {
      sendPage(response, url, all)
      if (isMoving && offsetOf(url) === 100) {
        all = [...all.filter((_, index) => index !== 40), item(999)]
        isMoving = false
      }
    })
    const first = await here.sweep()
    here.surroundings.pass(1_000)
    isMoving = true
    const second = await here.sweep()
    expect(second).toMatchObject({ status: 'complete', seen: 300 })
    const unseen = [...here.store.rows].filter(([, { lastUs }]) => lastUs < second.startedUs)
    expect(unseen).toEqual([])
    here.surroundings.pass(1_000)
    const third = await here.sweep()
    expect(third).toMatchObject({ status: 'complete', seen: 300 })
    const gone = [...here.store.rows].filter(([, { lastUs }]) => lastUs < third.startedUs)
    expect(gone.map(([key]) => key)).toEqual([expect.stringContaining('//api-40.example/')])
    expect(first.startedUs).toBeLessThan(second.startedUs)
  })

  it('is read a second time when it is short and names anything new, for one item may hide behind another', async () => {
    let all = items(300)
    let isMoving = true
    const here = await world((url, response) => {
      sendPage(response, url, all)
      // One leaves, another comes, and number 100 moves to a page already read; the total does not tell.
      if (isMoving) all = [...all.slice(1), item(999)]
      isMoving = false
    })
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 300 })
    expect([...here.store.rows.keys()].some((key) => key.includes('//api-100.example/'))).toBe(true)
    expect(offsetsAsked(here)).toEqual([0, 100, 200, 0, 100, 200, 0, 100, 200])
    // The one that left is looked for in the next sweep; in the one after nothing is other than before.
    await here.sweep()
    here.server.asked.length = 0
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 300 })
    expect(offsetsAsked(here)).toEqual([0, 100, 200])
  })

  it('is read a second time when it is long, too, and finds what one that left while another came has hidden', async () => {
    const all = items(5_900)
    const hidden = all[3_000]?.resource
    const here = await world((url, response) => {
      sendPage(response, url, all)
      if (offsetOf(url) !== 2_900 || all[0]?.resource !== item(0).resource) return
      all.shift()
      all.push(item(5_900))
    })
    // A third reading: something was new in the second.
    expect(await here.sweep()).toMatchObject({ status: 'complete', pages: 3 * 59, announced: 5_900, seen: 5_900 })
    expect([...here.store.rows.keys()].filter((key) => key.includes(String(hidden)))).toHaveLength(1)
    expect(here.store.rows.size).toBe(5_901)
    here.server.asked.length = 0
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 5_900 })
  })

  it('goes on after a pause only where it can still tell what it has met', async () => {
    const all = items(300)
    let isDown = true
    const here = await world((url, response) => {
      if (isDown && offsetOf(url) >= 200) response.destroy()
      else sendPage(response, url, all)
    })
    await here.sweep({ patience: { ...SWEEP_LIMITS.patience, attempts: 1 } })
    isDown = false
    // Two items changed places meanwhile: one of them has not been read.
    const [first, last] = [all[10], all[290]]
    if (first !== undefined && last !== undefined) all.splice(10, 1, last)
    if (first !== undefined) all.splice(290, 1, first)
    here.server.asked.length = 0
    expect(await here.sweep()).toMatchObject({ status: 'complete', resumed: true, seen: 300 })
    expect(offsetsAsked(here)).toEqual([200, 0, 0, 100, 200])
    expect(here.store.rows.size).toBe(300)
  })

  it('starts from the beginning after a long pause', async () => {
    let isDown = true
    const here = await world((url, response) => {
      if (isDown && offsetOf(url) >= 200) response.destroy()
      else sendPage(response, url, items(300))
    })
    await here.sweep({ patience: { ...SWEEP_LIMITS.patience, attempts: 1 } })
    isDown = false
    here.surroundings.pass(15 * 60_000)
    here.server.asked.length = 0
    expect(await here.sweep()).toMatchObject({ status: 'complete', resumed: true, seen: 300, stored: 300 })
    expect(offsetsAsked(here).slice(0, 3)).toEqual([0, 100, 200])
  })

  it('goes back for what moves when the total shrinks while paging', async () => {
    let all = items(350)
    const here = await world((url, response) => {
      sendPage(response, url, all)
      if (offsetOf(url) === 100 && all.length === 350) all = all.slice(7)
    })
    const outcome = await here.sweep()
    expect(outcome).toMatchObject({ status: 'complete', announced: 343 })
    expect(here.store.rows.size).toBe(350)
    expect(offsetsAsked(here)).toEqual([0, 100, 200, 300, 0, 100, 0, 100, 200, 300])
  })

  it('does not call a sweep complete when the list breaks away under it', async () => {
    let all = items(1_000)
    const here = await world((url, response) => {
      sendPage(response, url, all)
      all = items(12)
    })
    expect(await here.sweep()).toMatchObject({ status: 'partial', error: 'total_shrank' })
  })

  it('does not call a sweep complete when the pages run out before the announced total', async () => {
    const here = await world((url, response) => sendPage(response, url, items(120), 5_000))
    expect(await here.sweep()).toMatchObject({ status: 'partial', error: 'ended_early', seen: 120, announced: 5_000 })
  })

  it('stores an item once that comes on several pages', async () => {
    const all = [...items(150), ...items(150)]
    const here = await world((url, response) => sendPage(response, url, all))
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 300 })
    expect(here.store.rows.size).toBe(150)
  })

  it('ends with a server that ignores the offset, complete only if that was all', async () => {
    const page = items(30)
    const untold = await world((_url, response) => sendJson(response, { items: page }))
    expect(await untold.sweep()).toMatchObject({ status: 'complete', seen: 30, announced: null })
    const told = await world((_url, response) => sendJson(response, { items: page, pagination: { total: 90 } }))
    expect(await told.sweep()).toMatchObject({ status: 'partial', error: 'page_repeats', pages: 2 })
    const full = await world((_url, response) => sendJson(response, { items: items(100) }))
    expect(await full.sweep()).toMatchObject({ status: 'partial', error: 'page_repeats' })
    for (const pagination of [{ limit: 30 }, { nextCursor: 'abc' }, { hasMore: true }]) {
      const more = await world((_url, response) => sendJson(response, { items: page, pagination }))
      expect(await more.sweep()).toMatchObject({ status: 'partial', error: 'page_repeats' })
    }
  })
})
