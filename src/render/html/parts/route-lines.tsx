import type { RouteKey } from '../../../domain/route.ts'
import { routeHref } from '../../site.ts'
import { Lines } from './lines.tsx'

interface RouteLinesProps {
  readonly host: string
  readonly route: RouteKey & { readonly address: string }
  readonly lines: readonly string[]
}

/** One route of a list, and what there is to say about it. */
export const RouteLines = ({ host, route, lines }: RouteLinesProps) => (
  <article class="route">
    <h3>
      <span class="method">{route.method}</span> <a href={routeHref(host, route)}>{route.address}</a>
    </h3>
    <p class="facts">{`Rail ${route.rail}`}</p>
    <Lines lines={lines} />
  </article>
)
