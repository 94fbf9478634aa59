import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { someone } from '../../../test/support/reviewing.ts'
import { aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { HOST, openSelling, ROUTE } from '../../../test/support/selling.ts'
import { homePage } from '../../render/html/pages/home.tsx'
import { hostPage } from '../../render/html/pages/host.tsx'
import { hostJson } from '../../render/json/host.ts'
import { hostsJson } from '../../render/json/pages.ts'
import { hostMarkdown } from '../../render/markdown/host.ts'
import { hostsMarkdown } from '../../render/markdown/hosts.ts'
import { badgeSvg } from '../../render/svg/badge.ts'
import { hostPicture } from '../../render/svg/picture.ts'
import { whyLine, whyRouteLines } from '../../render/why-words.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { saveSweep } from '../../store/facts/sweeps.ts'
import { announceUnlisted } from '../../store/facts/unlisted.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import type { Store } from '../../store/store.ts'
import { type Difference, verifyStore } from '../../store/transfer/verify.ts'
import { hostView } from '../../wire/api/host.ts'
import { hosts } from '../../wire/api/lists.ts'

const SITE = { baseUrl: 'https://tollbook.example' }
const FIRST = { limit: 50, cursor: null }

/** Everything that says in words what a host does now. */
async function everythingSaid(store: Store): Promise<readonly string[]> {
  const directory = directoryOf(store)
  const view = await directory.hostView(HOST, FIRST)
  const recent = await directory.recentResults(HOST, 30)
  const home = await directory.home(ALL_HOSTS)
  if (view === undefined || recent === undefined) throw new Error('the host is not there')
  return [
    ...[hostPage(SITE, view, { cards: false, cursor: null }), hostMarkdown(SITE, view, { cards: false })],
    ...[homePage(SITE, home), hostsMarkdown(SITE, home), hostPicture(recent), badgeSvg(recent)],
    ...[JSON.stringify(hostJson(SITE, view, { cards: false }))],
  ]
}

async function unlist(store: Store): Promise<void> {
  const sweep = { source: 'bazaar', startedUs: NOON_US + 5, endedUs: NOON_US + 9, isWhole: true }
  await store.write((writer) =>
    saveSweep(writer, {
      ...{ source: 'bazaar', started_us: NOON_US - 1, ended_us: NOON_US, status: 'complete', resumed: 0, seen: 1 },
      ...{ stored: 1, pages: 1, bytes: 1, refused: '{}', answers: '{}', announced: null, error: null },
    }),
  )
  await announceUnlisted(store, sweep)
}

onEachEngine('a host that was probed and has no now', (engine) => {
  const pastOf = async (store: Store) => (await directoryOf(store).hostView(HOST, FIRST))?.past
  const whyOf = async (store: Store) => {
    const view = await directoryOf(store).why({ host: HOST, path: '/v1/weather' })
    return [whyLine(view), ...view.routes.flatMap((route) => whyRouteLines(view, route))].join('\n')
  }

  it('says that its seller retired what was probed, and when it was looked at last', async () => {
    const store = await engine.open()
    const { claim, challenge, say } = await openSelling(store)
    const account = someone()
    expect(await pastOf(store)).toBeNull()
    await challenge([account.address], 3)
    expect(await pastOf(store)).toBeNull()
    await claim(account)
    await say(account, { kind: 'retire', about: ROUTE, text: '' })
    expect(await pastOf(store)).toEqual({ became: 'retired', checkedUs: NOON_US - 86_400_000_000 })
    const [page, markdown, home, list, picture, badge, json] = await everythingSaid(store)
    for (const text of [page, markdown, list, badge]) {
      expect(text).toContain('Its seller retired what was probed; last looked at 2026-11-13 12:00')
    }
    expect(picture).toContain('>Its seller retired what was probed</text>')
    expect(home).toContain('retired by its seller, looked at 2026-11-13')
    expect([home, list, picture, badge].join('').toLowerCase()).not.toContain('never probed')
    expect(JSON.parse(json ?? '')).not.toHaveProperty('now')
    const why = await whyOf(store)
    expect(why).toContain('last probed 2026-11-13T12:00:00.000000Z: 402-correct')
    expect(why).toContain(`The seller of ${HOST}/v1/weather retired it.`)
    expect(why).toContain('retired by its seller: probed once a week')
  })

  it('says the same of a host that its seller retired as a whole, whatever is seen of it afterwards', async () => {
    const store = await engine.open()
    const { claim, challenge, say } = await openSelling(store)
    const account = someone()
    await challenge([account.address], 3)
    await claim(account)
    await say(account, { kind: 'retire', about: HOST, text: '' })
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US, httpStatus: 500 }), aProbe({ atUs: NOON_US + 1 })] })
    expect(await pastOf(store)).toEqual({ became: 'retired', checkedUs: NOON_US + 1 })
    const [page, markdown, , , picture, badge, json] = await everythingSaid(store)
    for (const text of [page, markdown, badge])
      expect(text).toContain('Its seller retired what was probed; last looked')
    expect(picture).toContain('>Its seller retired what was probed</text>')
    expect(badge).toContain('retired by its seller · 402-correct')
    expect(JSON.parse(json ?? '')).not.toHaveProperty('now')
    const [row] = (await directoryOf(store).hosts({ ...ALL_HOSTS, retired: 'only' })).items
    expect([row?.now, row?.past?.became]).toEqual([null, 'retired'])
    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })

  it('says that no source names any more what was probed, and when both are true', async () => {
    const store = await engine.open()
    const { claim, challenge, say } = await openSelling(store)
    const account = someone()
    await saveListings(store, { listings: [aListing({ path: '/x' })] })
    await saveProbes(store, { probes: [aProbe({ path: '/x', atUs: NOON_US })] })
    await unlist(store)
    expect(await pastOf(store)).toEqual({ became: 'unlisted', checkedUs: NOON_US })
    const line = 'No source names any more what was probed; last looked at 2026-11-14 12:00'
    expect((await everythingSaid(store))[1]).toContain(line)
    const past = { became: 'unlisted', checked: '2026-11-14T12:00:00.000000Z', line }
    const directory = directoryOf(store)
    const view = await directory.hostView(HOST, FIRST)
    const json = view && hostJson(SITE, view, { cards: false })
    expect([json?.past, view && hostView.parse(json).past]).toEqual([past, past])
    const list = hostsJson(SITE, ALL_HOSTS, await directory.hosts(ALL_HOSTS))
    expect([list.hosts[0]?.past, hosts.parse(list).hosts[0]?.past]).toEqual([past, past])
    await challenge([account.address], 3)
    await claim(account)
    await say(account, { kind: 'retire', about: ROUTE, text: '' })
    expect(await pastOf(store)).toEqual({ became: 'both', checkedUs: NOON_US })
    expect(await whyOf(store)).toContain('no source names it any more: probed as before')
  })
})
