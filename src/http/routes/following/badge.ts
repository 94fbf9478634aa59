import { badgeJson, badgeSvg } from '../../../render/svg/badge.ts'
import { hostPicture } from '../../../render/svg/picture.ts'
import type { RecentResults } from '../../../views/recent-results.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonText } from '../../answer.ts'
import { onlyForm } from '../../cache/representation.ts'
import type { Handler, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, sendHostPage } from '../../hosts-named.ts'
import { json, text } from '../../openapi/operation.ts'
import { host } from '../../openapi/parameters.ts'
import { HOST_PROBLEMS } from '../../openapi/problem-sets.ts'

/** The window that a badge speaks of, and says. */
const DAYS = 30

const badgeHandler =
  (form: 'svg' | 'json' | 'picture', contentType: string, render: (recent: RecentResults) => string) =>
  (services: Services): Handler =>
  (context) => {
    const host = hostIn(context, services)
    const { directory } = services
    return sendHostPage(services, context, {
      // The window moves with the day.
      key: JSON.stringify(['badge', form, host, directory.today()]),
      host,
      render: async () => {
        const recent = await directory.recentResults(host, DAYS)
        return recent && onlyForm(contentType, render(recent))
      },
    })
  }

export const badgeEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.badge, id: 'badge', tag: 'Following', isCached: true },
  summary: `Badge with the probe results of the last ${DAYS} days`,
  parameters: [host],
  answers: { 200: text('image/svg+xml', 'The badge') },
  problems: HOST_PROBLEMS,
  handler: badgeHandler('svg', 'image/svg+xml', badgeSvg),
})

export const badgeJsonEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.badgeJson, id: 'badgeJson', tag: 'Following', isCached: true },
  summary: 'The same for shields.io',
  parameters: [host],
  answers: { 200: json('Badge', 'An endpoint badge') },
  problems: HOST_PROBLEMS,
  handler: badgeHandler('json', 'application/json', (recent) => jsonText(badgeJson(recent))),
})

export const hostPictureEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostPicture, id: 'hostPicture', tag: 'Following', isCached: true },
  summary: 'A picture of the host for those who share its page',
  parameters: [host],
  answers: { 200: text('image/svg+xml', 'The picture') },
  problems: HOST_PROBLEMS,
  handler: badgeHandler('picture', 'image/svg+xml', hostPicture),
})
