import { addressOf } from '../../domain/route.ts'
import type { HostView } from '../../views/host/host-view.ts'
import { fullAddress, reviewsHref, type Site } from '../site.ts'
import { shellWord } from './shell-word.ts'

/** A complete review request for the first route shown, or for the host's root when it has no route. */
export function reviewExample(site: Site, view: Pick<HostView, 'host' | 'routes'>) {
  const route = view.routes[0]
  const body = {
    url: route?.address ?? addressOf('https', view.host, '/'),
    method: route?.method ?? 'GET',
    rail: route?.rail ?? 'x402',
    rating: 3,
    text: 'Say what you paid, what came back and how long it took.',
  }
  const url = fullAddress(site, reviewsHref)
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/json' },
    body,
    curl: [
      `curl -X POST ${shellWord(url)} \\`,
      `  -H ${shellWord('Content-Type: application/json')} \\`,
      `  -d ${shellWord(JSON.stringify(body, null, 2))}`,
    ].join('\n'),
  }
}
