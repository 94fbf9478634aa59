import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { EVENT_KINDS, EVENT_ORDERS, type EventKind, eventKindsIn } from '../domain/event.ts'
import { problem } from '../domain/problem-kinds.ts'
import { eventsJson } from '../render/json/events.ts'
import { eventsMarkdown } from '../render/markdown/events.ts'
import { events } from '../wire/api/events.ts'
import { answered, READS } from './answer.ts'
import { askedBefore, cursorIn, hostInput, hostNamed, pageInput, unknownHost } from './inputs.ts'
import { argumentsOf, outlineOf } from './outline.ts'
import type { ToolDeps } from './tool-deps.ts'

const OUTPUT = outlineOf(events)

/** Named here as in addresses. */
const eventsInput = {
  host: hostInput.optional(),
  kind: z
    .string()
    .optional()
    .describe(`Only these kinds, comma separated: ${EVENT_KINDS.join(', ')}`),
  order: z.enum(EVENT_ORDERS).optional().describe('newest unless given; oldest goes on after a known one'),
}

/** What changed. */
export function registerEventsTool(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'What changed?',
    description:
      'Announcements of one host or of all: prices, routes, probe results, reviews, posts and what sellers said.',
    inputSchema: argumentsOf({ ...eventsInput, ...pageInput }),
    outputSchema: OUTPUT,
    annotations: READS,
  }
  server.registerTool('get_events', config, (given) =>
    answered(deps, async () => {
      const asked = { ...askedBefore(z.object(eventsInput), given.cursor), ...given }
      const { limit, kind, order = 'newest' } = asked
      const host = asked.host === undefined ? null : hostNamed(asked.host, deps)
      const kinds = kindsAsked(kind)
      if (host !== null && (await deps.directory.hostVersion(host)) === undefined) throw await unknownHost(deps, host)
      const found = await deps.directory.arrivals({ host, kinds, order, limit, after: cursorIn(asked.cursor) })
      const page = found ?? { items: [], next: null }
      const on = new URLSearchParams({
        ...{ format: 'json', order, limit: String(limit) },
        ...(host !== null && { host }),
        ...(kind !== undefined && { kind }),
      })
      const document = eventsJson(deps.site, page, on)
      return { document, markdown: eventsMarkdown(deps.site, page.items, document.next) }
    }),
  )
}

function kindsAsked(text = ''): readonly EventKind[] {
  const kinds = text === '' ? [] : eventKindsIn(text)
  if (kinds === undefined)
    throw problem('invalid-parameter', `The parameter kind must be some of ${EVENT_KINDS.join(', ')}, comma separated.`)
  return kinds
}
