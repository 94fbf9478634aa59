import { ICON_SVG } from '../../../render/svg/icon.ts'
import { PATHS } from '../../../wire/paths.ts'
import { textAnswer, toResponse } from '../../answer.ts'
import { createEndpoint } from '../../endpoint.ts'
import { text } from '../../openapi/operation.ts'

export const iconEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.icon, id: 'icon', tag: 'Directory', isCached: true },
  summary: 'The icon',
  answers: { 200: text('image/svg+xml', 'An image') },
  handler: () => () =>
    toResponse(textAnswer(200, 'image/svg+xml', ICON_SVG, { 'Cache-Control': 'public, max-age=86400' })),
})
