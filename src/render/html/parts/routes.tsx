import { thousands } from '../../../domain/count.ts'
import { METHODS } from '../../../domain/route.ts'
import type { HostView } from '../../../views/host/host-view.ts'
import { hostHref } from '../../site.ts'
import { PARTS, ROUTES_NOTE } from '../../words.ts'
import { once } from '../jsx/jsx-runtime.ts'
import { Route, RouteCard } from './route.tsx'
import { RouteTable } from './route-table.tsx'

interface RoutesProps {
  readonly view: HostView
  readonly options: { readonly cards: boolean; readonly cursor: string | null }
}

/** Below this many routes nobody needs to filter them. */
const FEW = 10

/** The evidence of so few is not folded. */
const FEW_OPEN = 3

const Title = once(() => (
  <>
    <h2>{PARTS.routes}</h2>
    <details class="why">
      <summary>Which price counts, and what the price check compares</summary>
      <p class="small soft">{ROUTES_NOTE}</p>
    </details>
  </>
))

/** The route list, or the part of it that was asked for. */
export const Routes = ({ view, options }: RoutesProps) => {
  const { host, routes, nextRoutes, filter, nowUs } = view
  const total = view.counters.routes
  const asked = { view: options.cards ? 'cards' : null, q: filter?.q ?? null, method: filter?.method ?? null }
  const otherView = { view: options.cards ? null : 'cards', q: asked.q, method: asked.method, cursor: options.cursor }
  return (
    <section id="routes">
      <Title />
      {(total > FEW || filter !== null) && <Filter view={view} cards={options.cards} />}
      <p class="shown">
        <ShownLine view={view} />
        {total > 0 && <a href={hostHref(host, otherView)}>{options.cards ? 'Show as list' : 'Show as cards'}</a>}
        {filter !== null && <a href={hostHref(host, { view: asked.view })}>Show all routes</a>}
      </p>
      {total === 0 && <p class="panel">No listing source names a route of this host.</p>}
      {filter?.total === 0 && (
        <p class="panel">{`None of the ${thousands(total)} routes of this host fits. A shorter part of the path finds more.`}</p>
      )}
      {options.cards ? (
        <div class="cards">
          {routes.map((route) => (
            <RouteCard key={route.address} host={host} route={route} nowUs={nowUs} />
          ))}
        </div>
      ) : (
        routes.length > 0 && (
          <>
            <RouteTable host={host} routes={routes} nowUs={nowUs} />
            <details id="evidence" open={routes.length <= FEW_OPEN}>
              <summary>{`Listing rows, probe entries and reviews of ${routes.length === 1 ? 'this route' : `these ${routes.length} routes`}`}</summary>
              {routes.map((route) => (
                <Route key={route.address} host={host} route={route} nowUs={nowUs} />
              ))}
            </details>
          </>
        )
      )}
      {(options.cursor !== null || nextRoutes !== null) && (
        <p class="next">
          {options.cursor !== null && <a href={hostHref(host, asked)}>First routes</a>}
          {nextRoutes !== null && (
            <a rel="next" href={hostHref(host, { ...asked, cursor: nextRoutes })}>
              Next routes
            </a>
          )}
        </p>
      )}
    </section>
  )
}

const ShownLine = ({ view: { routes, filter, counters } }: { readonly view: HostView }) => {
  if (filter !== null)
    return (
      <span>{`${thousands(filter.total)} of ${thousands(counters.routes)} routes fit, showing ${routes.length}`}</span>
    )
  return routes.length < counters.routes ? (
    <span>{`Showing ${routes.length} of ${thousands(counters.routes)} routes`}</span>
  ) : null
}

const Filter = ({ view: { host, filter }, cards }: { readonly view: HostView; readonly cards: boolean }) => (
  <form class="filters pick" action={`${hostHref(host)}#routes`} method="get">
    {cards && <input type="hidden" name="view" value="cards" />}
    <label class="q">
      Part of a path
      <input type="search" name="q" value={filter?.q ?? ''} />
    </label>
    <label>
      Method
      <select name="method">
        <option value="">any</option>
        {METHODS.map((method) => (
          <option key={method} value={method} selected={method === filter?.method}>
            {method}
          </option>
        ))}
      </select>
    </label>
    <button type="submit">Filter routes</button>
  </form>
)
