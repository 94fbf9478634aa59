import { thousands } from '../../../domain/count.ts'
import { formatPrice } from '../../../domain/money/price.ts'
import { networkKey, networkName } from '../../../domain/network.ts'
import { RESULTS } from '../../../domain/probe.ts'
import { TYPED_PRICE } from '../../../views/host/hosts-asked.ts'
import { type Choice, HOST_SORTS, type HostQuery } from '../../../views/host/hosts-view.ts'
import type { ListedHome } from '../../../views/seller/listed-hosts.ts'
import { conditions, homeHref, hostsQuery } from '../../hosts-query.ts'
import { SORT_WORDS } from '../../words.ts'

const PICKED = ['rail', 'check', 'requested', 'retired'] as const

/** The search as a plain form. What was picked by link stays picked. */
export const SearchForm = ({ query }: { readonly query: HostQuery }) => {
  const kept = hostsQuery(query)
  // The two orders that follow from the search itself are not carried into the next one.
  const isSorted = query.sort !== 'host' && query.sort !== 'match'
  const isDetailed = query.network !== null || query.maxPrice !== null || query.result !== null
  return (
    <form class="filters" action="/" method="get">
      <label class="q">
        Host name, path or description
        <input type="search" name="q" value={query.q ?? ''} placeholder="weather, cheap image api, api.example.com" />
      </label>
      <button type="submit">Search</button>
      {isSorted && <input type="hidden" name="sort" value={query.sort} />}
      {PICKED.map(
        (name) => kept.has(name) && <input key={name} type="hidden" name={name} value={kept.get(name) ?? ''} />,
      )}
      <details open={isDetailed}>
        <summary>Any network, price or probe result</summary>
        <div>
          <label>
            Network
            <input
              name="network"
              value={query.network ?? ''}
              placeholder="base"
              autocapitalize="none"
              spellcheck={false}
            />
          </label>
          <label>
            Price at most, in dollars
            <input
              name="max_price"
              value={query.maxPrice === null ? '' : formatPrice(query.maxPrice)}
              placeholder="0.05"
              inputmode="decimal"
              pattern={` *${TYPED_PRICE} *`}
              title="Dollars such as 0.05, with at most 6 fractional digits"
            />
          </label>
          <label>
            At least one probe entry
            <select name="result">
              <option value="">any</option>
              {RESULTS.map((result) => (
                <option key={result} value={result} selected={result === query.result}>
                  {result}
                </option>
              ))}
            </select>
          </label>
        </div>
      </details>
    </form>
  )
}

const ANY = 'any'

interface Offered {
  readonly words: string
  readonly changes: Partial<HostQuery>
  readonly isPicked: boolean
}

const dollars = (price: number): string => formatPrice(price).replace(/0+$/, '').replace(/\.$/, '')

/** What there is of a kind, after the way to leave it open. A picked one stays to be seen where nobody has it. */
function offered<T>(
  name: keyof HostQuery,
  choices: readonly Choice<T>[],
  picked: T | null | undefined,
  words: (value: T) => string,
): readonly Offered[] {
  const none = picked === null || picked === undefined
  const isAbsent = !none && choices.every(({ value }) => value !== picked)
  return [
    { words: ANY, changes: { [name]: null }, isPicked: none },
    ...(isAbsent ? [{ words: words(picked), changes: { [name]: picked }, isPicked: true }] : []),
    ...choices.map(({ value, hosts }) => ({
      words: `${words(value)} (${thousands(hosts)})`,
      changes: { [name]: value },
      isPicked: value === picked,
    })),
  ]
}

const requestedChoices = (query: HostQuery, hosts: number): readonly Offered[] =>
  hosts === 0 && !query.requested
    ? []
    : [
        { words: 'any time or never', changes: { requested: null }, isPicked: !query.requested },
        {
          words: `in the last day (${thousands(hosts)})`,
          changes: { requested: 'day' },
          isPicked: query.requested === 'day',
        },
      ]

const sortChoices = (query: HostQuery): readonly Offered[] =>
  HOST_SORTS.filter((sort) => sort !== 'match' || query.q !== null).map((sort) => ({
    words: SORT_WORDS[sort],
    changes: { sort },
    isPicked: query.sort === sort,
  }))

/** Where there are any. */
const retiredChoices = ({ query: { retired = null }, totals, retiredHosts = 0 }: ListedHome): readonly Offered[] =>
  retiredHosts === 0 && retired === null
    ? []
    : [
        { words: 'left out', changes: { retired: null }, isPicked: retired === null },
        {
          words: `listed too (${thousands(totals.hosts)})`,
          changes: { retired: 'with' },
          isPicked: retired === 'with',
        },
        { words: `alone (${thousands(retiredHosts)})`, changes: { retired: 'only' }, isPicked: retired === 'only' },
      ]

function numbersOf({ query: { retired }, retiredHosts = 0 }: ListedHome): string {
  if (retired === 'only') return 'all retired hosts'
  return retired || retiredHosts === 0 ? 'all hosts' : 'all hosts that are not retired'
}

/** Every choice is a link that keeps the other conditions, with how many have it of all hosts, retired ones as listed. */
export const Facets = ({ home }: { readonly home: ListedHome }) => {
  const { query, facets } = home
  const network = query.network === null ? null : networkKey(query.network)
  const groups: readonly (readonly [string, readonly Offered[]])[] = [
    ['Sort by', sortChoices(query)],
    ['Price check', offered('check', facets.checks, query.check, (check) => check)],
    ['Price in dollars', offered('maxPrice', facets.ceilings, query.maxPrice, (price) => `at most ${dollars(price)}`)],
    ['Requested payment', requestedChoices(query, facets.requestedToday)],
    ['Rail', offered('rail', facets.rails, query.rail, (rail) => rail)],
    ['Network', offered('network', facets.networks, network, (key) => networkName(key) ?? key)],
    ['Retired hosts', retiredChoices(home)],
  ]
  return (
    <details class="facets">
      <summary>Sort, and choose by price, price check, rail or network</summary>
      <nav aria-label="Choose hosts">
        <dl>
          {groups
            .filter(([, choices]) => choices.length > 1)
            .map(([name, choices]) => (
              <>
                <dt>{name}</dt>
                <dd>
                  {choices.map(({ words, changes, isPicked }) => (
                    <a
                      key={words}
                      href={homeHref(query, changes)}
                      aria-current={isPicked ? 'true' : undefined}
                      aria-label={words === ANY ? `${ANY}, ${name.toLowerCase()}` : undefined}
                    >
                      {words}
                    </a>
                  ))}
                </dd>
              </>
            ))}
        </dl>
        {conditions(query).length > 0 && <p class="small soft">{`Numbers are of ${numbersOf(home)}.`}</p>}
      </nav>
    </details>
  )
}
