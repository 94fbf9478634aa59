import { NO_DATA, thousands } from '../../../domain/count.ts'
import { type Listing, listingLine } from '../../../domain/listing.ts'
import { formatPrice } from '../../../domain/money/price.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import type { RoutePageView } from '../../../views/route/route-view.ts'
import { ASKED_HEADING, askedCut, askedNote, NOTHING_ASKED, networkShort, shownAsked } from '../../asked-prices.ts'
import { PAYEES_HEADING, payeeLine, payeesRoomLines, shownPayees } from '../../buyers/payees.ts'
import { requestedLine } from '../../now/now-words.ts'
import { priceSteps } from '../../svg/price-steps.ts'
import { counted, minuteText, networkText, priceText } from '../../values.ts'
import { lookOf, PriceLines } from '../parts/charts.tsx'
import { Days } from '../parts/history.tsx'
import { TableBox } from '../parts/table-box.tsx'

// Figures of one route over time: how it answered, what it cost, who was paid.

interface PartProps {
  readonly view: RoutePageView
}

/** The last day, week and month of this route, and sixty days one by one. */
export const Windows = ({ view }: PartProps) => (
  <section id="windows">
    <h2>How it answers</h2>
    <div class="panel">
      <Days view={view} />
    </div>
    <TableBox name="How it answers">
      <table>
        <caption>Exact over every probe entry since then; p95 is the latency that 95 of 100 do not exceed</caption>
        <thead>
          <tr>
            <th scope="col">Last</th>
            <th scope="col">Requests for payment</th>
            <th scope="col" class="num">
              Median
            </th>
            <th scope="col" class="num">
              p95
            </th>
          </tr>
        </thead>
        <tbody>
          {view.windows.map(({ name, results, latency }) => (
            <tr key={name}>
              <th scope="row" class="tight">
                {name}
              </th>
              <td>{requestedLine(results)}</td>
              <td class="num tight">{latency === null ? 'no data' : `${thousands(latency.medianMs)} ms`}</td>
              <td class="num tight">{latency === null ? 'no data' : `${thousands(latency.p95Ms)} ms`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  </section>
)

/** What sources list it at, over time. */
export const Prices = ({ view: { route } }: PartProps) => {
  const steps = priceSteps(route.listings)
  return (
    <section id="prices">
      <h2>Listed price over time</h2>
      {steps === null ? (
        <p class="panel">No listing source states a price in dollars.</p>
      ) : (
        <div class="panel">
          <p class="axis">
            <span>{`${formatPrice(steps.highest)} dollars at the top, 0 at the foot`}</span>
          </p>
          <PriceLines
            steps={steps}
            label={`Listed prices of ${counted(steps.series.length, 'source')} from 0 to ${formatPrice(steps.highest)} dollars; the table has every row`}
          />
          <p class="axis">
            <span>{minuteText(steps.fromUs)}</span>
            <span>{minuteText(steps.toUs)}</span>
          </p>
          <ul class="keys">
            {steps.series.map(({ source }, index) => (
              <li key={source} class={lookOf(index)}>
                {source}
              </li>
            ))}
          </ul>
        </div>
      )}
      {route.listings.length > 0 && <PriceTable listings={route.listings} />}
    </section>
  )
}

const PriceTable = ({ listings }: { readonly listings: readonly Listing[] }) => (
  <TableBox name="Listed prices">
    <table>
      <caption>Newest first; times are UTC</caption>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col" class="num">
            Price
          </th>
          <th scope="col">Network</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {listings.map((row) => (
          <tr key={listingLine(row)}>
            <th scope="row" class="whole">
              {row.source}
            </th>
            <td class="num">{priceText(row.price)}</td>
            <td>{networkText(row.network)}</td>
            <td>
              <Minute us={row.firstUs} />
            </td>
            <td>
              <Minute us={row.lastUs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableBox>
)

/** Observed, and so apart from what sources list. */
export const AskedPrices = ({ view: { asked } }: PartProps) => {
  const cut = askedCut(asked)
  return (
    <section id="observed">
      <h2>{ASKED_HEADING}</h2>
      {asked.prices.length === 0 ? (
        <p class="panel">{NOTHING_ASKED}</p>
      ) : (
        <>
          <p class="small soft">{askedNote(asked)}</p>
          <TableBox name="Observed prices">
            <table>
              <caption>Last seen first; times are UTC</caption>
              <thead>
                <tr>
                  <th scope="col" class="num">
                    Price
                  </th>
                  <th scope="col">Network</th>
                  <th scope="col" class="num">
                    Answers
                  </th>
                  <th scope="col">First</th>
                  <th scope="col">Last</th>
                </tr>
              </thead>
              <tbody>
                {shownAsked(asked).map(({ price, network, entries, firstUs, lastUs }) => (
                  <tr>
                    <th scope="row" class="num">
                      {priceText(price)}
                    </th>
                    <td>{networkShort(network)}</td>
                    <td class="num">{thousands(entries)}</td>
                    <td>
                      <Minute us={firstUs} />
                    </td>
                    <td>
                      <Minute us={lastUs} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableBox>
          {cut !== null && <p class="cut">{cut}</p>}
        </>
      )}
    </section>
  )
}

/** Which wallets get the money. */
export const Payees = ({ view: { payees, payeesTotal } }: PartProps) => {
  const shown = shownPayees(payees)
  return (
    <section id="payees">
      <h2>{PAYEES_HEADING}</h2>
      <p class="small soft">
        Who was named to be paid for a call, newest first: in live challenges, or by listing sources.
      </p>
      {payeesTotal === 0 ? <p class="none">{NO_DATA}</p> : <pre class="lines">{shown.map(payeeLine).join('\n')}</pre>}
      {shown.length < payeesTotal && <p class="cut">{`showing ${shown.length} of ${thousands(payeesTotal)}`}</p>}
      {payeesRoomLines(payeesTotal).map((line) => (
        <p class="cut">{line}</p>
      ))}
    </section>
  )
}

/** A moment that breaks between day and time alone. */
const Minute = ({ us }: { readonly us: TimestampUs }) => {
  const [day, time] = minuteText(us).split(' ')
  return (
    <>
      <span class="num">{day}</span> <span class="num">{time}</span>
    </>
  )
}
