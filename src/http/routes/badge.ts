import { badgeJson, badgeSvg } from '../../render/svg/badge.ts'
import type { RecentResults } from '../../views/catalogue.ts'
import type { Handler, Services } from '../call.ts'
import { hostIn, sendHostPage } from '../hosts-named.ts'

/** The window that a badge speaks of, and says. */
const DAYS = 30

/** Images and endpoints are shown by other sites, which keep them for a while. */
const HEADERS = [
  ['Vary', 'Accept-Encoding'],
  ['Access-Control-Allow-Origin', '*'],
] as const

const badge =
  (services: Services, form: 'svg' | 'json', contentType: string, render: (recent: RecentResults) => string): Handler =>
  (context) => {
    const host = hostIn(context, services)
    const { directory } = services
    return sendHostPage(services, context, {
      // The window moves with the day.
      key: JSON.stringify(['badge', form, host, directory.today()]),
      host,
      render: async () => {
        const recent = await directory.recentResults(host, DAYS)
        return recent && { contentType, text: render(recent), headers: HEADERS }
      },
    })
  }

/** `/hosts/<seller_host>/badge.svg` */
export const badgeRoute = (services: Services): Handler => badge(services, 'svg', 'image/svg+xml', badgeSvg)

/** `/hosts/<seller_host>/badge.json`: for shields.io. */
export const badgeJsonRoute = (services: Services): Handler =>
  badge(services, 'json', 'application/json', (recent) => `${JSON.stringify(badgeJson(recent))}\n`)
