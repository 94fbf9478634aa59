import { NO_DATA, thousands } from '../../../domain/count.ts'
import type { SellerHost } from '../../../domain/host.ts'
import { type Now, resultOf } from '../../../domain/now/now.ts'
import { otherSights } from '../../../domain/now/sights-line.ts'
import { formatAgo } from '../../../domain/time/relative.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import type { RouteView } from '../../../views/host/host-view.ts'
import { PAST_MARKS, routeCheck } from '../../now/now-words.ts'
import { observedPrice, sourcesSay } from '../../observed.ts'
import { routeHref } from '../../site.ts'
import { minuteText, priceText } from '../../values.ts'
import { once } from '../jsx/jsx-runtime.ts'
import { isRetired } from '../sellers/statements.tsx'
import { RESULT_CLASS } from './charts.tsx'

interface TableProps {
  readonly host: SellerHost
  readonly routes: readonly RouteView[]
  readonly nowUs: TimestampUs
}

const Head = once(() => (
  <>
    <caption>Prices in dollars per call; median of the 25 newest probe entries</caption>
    <thead>
      <tr>
        <th scope="col" class="wide">
          Route
        </th>
        <th scope="col">Listed</th>
        <th scope="col">Observed, price check</th>
        <th scope="col">Newest result</th>
        <th scope="col" class="num">
          Median
        </th>
        <th scope="col" class="num">
          Reviews
        </th>
      </tr>
    </thead>
  </>
))

/** A host's routes, one line each. */
export const RouteTable = ({ host, routes, nowUs }: TableProps) => (
  <div class="tablebox rows compact">
    <table>
      <Head />
      <tbody>
        {routes.map((route) => (
          <Row key={route.address} host={host} route={route} nowUs={nowUs} hasTwin={hasTwin(route, routes)} />
        ))}
      </tbody>
    </table>
  </div>
)

/** Whether another route differs by its scheme alone. */
const hasTwin = ({ scheme, method, path, rail }: RouteView, routes: readonly RouteView[]): boolean =>
  routes.some((one) => one.scheme !== scheme && one.path === path && one.method === method && one.rail === rail)

interface RowProps extends Omit<TableProps, 'routes'> {
  readonly route: RouteView
  /** Another row differs by its scheme alone. */
  readonly hasTwin: boolean
}

const Row = ({ host, route, nowUs, hasTwin }: RowProps) => (
  <tr>
    <th scope="row">
      <a href={routeHref(host, route)}>{nameOf(route, hasTwin)}</a>
    </th>
    <td data-name="Listed" class={route.spread === null ? 'tight' : undefined}>
      {listedText(route)}
    </td>
    <Observed route={route} />
    <td data-name="Newest" class={newestClass(route)}>
      {isRetired(route) ? `${PAST_MARKS.retired}; ${newestText(route.now, nowUs)}` : newestText(route.now, nowUs)}
    </td>
    <td data-name="Median" class="num tight">
      {route.medianMs === null ? NO_DATA : `${thousands(route.medianMs)} ms`}
    </td>
    <td data-name="Reviews" class="num">
      {thousands(route.reviewsTotal)}
    </td>
  </tr>
)

function listedText(route: RouteView): string {
  const say = sourcesSay(route)
  return say === null ? priceText(route.price) : `${priceText(route.price)}; ${say}`
}

/** What differs in something else than a price that was read is said in words. */
const Observed = ({ route }: Pick<RowProps, 'route'>) => {
  const { probeStatus } = route
  const observed = observedPrice(route)
  const isElsewhere = observed === null && probeStatus === 'differs'
  return (
    <td data-name="Observed" class={`${isElsewhere ? '' : 'tight '}check ${probeStatus}`}>
      {isElsewhere ? routeCheck(route) : `${priceText(observed?.price ?? null)} ${probeStatus}`}
    </td>
  )
}

/** `GET /v1/x · x402`, `GET /v1/x · x402 · http` */
const nameOf = ({ method, path, rail, scheme }: RouteView, hasTwin: boolean): string =>
  `${method} ${path === '' ? '/' : path} · ${rail}${hasTwin ? ` · ${scheme}` : ''}`

/** What is not sold any more is neither well nor broken. */
const newestClass = (route: RouteView): string =>
  route.now === null || isRetired(route) ? 'soft' : `tight mark ${RESULT_CLASS[resultOf(route.now)]}`

/** `402-correct 3 min ago; refused from ap-1`, `failed since 2026-11-13 02:08` */
function newestText(now: Now | null, nowUs: TimestampUs): string {
  if (now === null) return 'never probed'
  const result = resultOf(now)
  const others = otherSights(now.sights ?? [])
  const newest =
    result === '402-correct'
      ? `${result} ${formatAgo(now.checkedUs, nowUs)}`
      : `${result} since ${minuteText(now.sinceUs)}`
  return others === '' ? newest : `${newest}; ${others}`
}
