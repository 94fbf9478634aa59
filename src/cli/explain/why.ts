import { parseArgs } from 'node:util'
import { type AllowHosts, parseHost } from '../../domain/host.ts'
import type { Problem } from '../../domain/problem.ts'
import { parseAddress } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { documentLine, hostNamedLine, NO_DOCUMENT, NOT_LISTED, refusedLine } from '../../render/listing-words.ts'
import { NOTHING_REFUSED, ROUTES_CUT, sourceRefusalLine, whyLine, whyRouteLines } from '../../render/why-words.ts'
import { whyOf } from '../../views/why/open-why.ts'
import type { ProbeRules, WhyAsked, WhyView } from '../../views/why/why-view.ts'
import { WHY } from '../catalogue/check.ts'
import { type Command, type CommandContext, misuse, onlyWord } from '../command.ts'
import { plainLine } from '../terminal/plain.ts'

export interface WhyDeps {
  readonly rules: ProbeRules
  readonly nowUs: () => TimestampUs
}

/** `tollbook why <url|host>`: what the page of the same name says. */
export const whyCommand = ({ rules, nowUs }: WhyDeps): Command => ({
  run: async (argv: string[], { allowHosts, openStore, out }: CommandContext): Promise<number> => {
    const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: WHY.options })
    const what = onlyWord(WHY, positionals, 'the address of a route, or a host')
    const asked = askedIn(what, allowHosts)
    const store = await openStore('look')
    try {
      const view = await whyOf(store, asked, rules, nowUs())
      // Names of sources, items and addresses are strangers' words.
      for (const line of linesOf(view)) out.write(`${plainLine(line)}\n`)
      return 0
    } finally {
      await store.close()
    }
  },
})

/** A full address, a host, or a host with a path behind it. */
function askedIn(what: string, allow: AllowHosts): WhyAsked {
  if (/^https?:\/\//i.test(what)) {
    const reading = parseAddress(what, allow)
    if (!reading.ok) throw unreadable(what, reading.reason)
    const { host, path } = reading.address
    return { host, path: path === '' || path === '/' ? null : path }
  }
  const [name = '', ...rest] = what.split('/')
  const reading = parseHost(name, allow)
  if (!reading.ok) throw unreadable(what, reading.reason)
  return { host: reading.host, path: rest.join('/') === '' ? null : `/${rest.join('/')}` }
}

const unreadable = (what: string, reason: string): Problem =>
  misuse(`${what} is not the address of a route or a host: ${reason}`, 'no source can list it')

function linesOf(view: WhyView): string[] {
  const { sources, refused, documents, routes, isCut } = view
  const part = (heading: string, lines: readonly string[], none: string): string[] => [
    ...['', heading],
    ...(lines.length === 0 ? [none] : lines).map((line) => `  ${line}`),
  ]
  const ofDocuments = documents.flatMap((document) => [documentLine(document), ...document.refused.map(refusedLine)])
  return [
    whyLine(view),
    ...routes.flatMap((route) =>
      part(`${route.method} ${route.address}, ${route.rail}`, whyRouteLines(view, route), ''),
    ),
    ...(isCut ? [ROUTES_CUT] : []),
    ...part('Listed by', sources.map(hostNamedLine), NOT_LISTED),
    ...part('Refused by', refused.map(sourceRefusalLine), NOTHING_REFUSED),
    ...part("The seller's own documents", ofDocuments, NO_DOCUMENT),
  ]
}
