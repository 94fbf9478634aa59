import { formatPrice } from '../../../domain/money/price.ts'
import { RESULTS } from '../../../domain/probe.ts'
import { RAILS } from '../../../domain/route.ts'
import { HOST_SORTS, type HostQuery } from '../../../views/host/hosts-view.ts'
import { homeHref, hostsQuery } from '../../hosts-query.ts'
import { SORT_WORDS } from '../../words.ts'

/** Common choices; any other is typed into the form. */
const NETWORKS = ['base', 'solana', 'tempo', 'polygon'] as const
const CEILINGS = [1000, 10_000, 100_000, 1_000_000] as const

const PICKED = ['rail', 'requested'] as const

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
        <input type="search" name="q" value={query.q ?? ''} placeholder="api.example.com, /v1/search, weather" />
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

interface Choice {
  readonly words: string
  readonly changes: Partial<HostQuery>
  readonly isPicked: boolean
}

const dollars = (price: number): string => formatPrice(price).replace(/0+$/, '').replace(/\.$/, '')

const railChoices = (query: HostQuery): readonly Choice[] => [
  { words: 'any', changes: { rail: null }, isPicked: query.rail === null },
  ...RAILS.map((rail) => ({ words: rail, changes: { rail }, isPicked: query.rail === rail })),
]

const networkChoices = (query: HostQuery): readonly Choice[] => [
  { words: 'any', changes: { network: null }, isPicked: query.network === null },
  ...NETWORKS.map((network) => ({ words: network, changes: { network }, isPicked: query.network === network })),
]

const priceChoices = (query: HostQuery): readonly Choice[] => [
  { words: 'any', changes: { maxPrice: null }, isPicked: query.maxPrice === null },
  ...CEILINGS.map((maxPrice) => ({
    words: `at most ${dollars(maxPrice)}`,
    changes: { maxPrice },
    isPicked: query.maxPrice === maxPrice,
  })),
]

const requestedChoices = (query: HostQuery): readonly Choice[] => [
  { words: 'any time or never', changes: { requested: null }, isPicked: !query.requested },
  { words: 'in the last day', changes: { requested: 'day' }, isPicked: query.requested === 'day' },
]

const sortChoices = (query: HostQuery): readonly Choice[] =>
  HOST_SORTS.filter((sort) => sort !== 'match' || query.q !== null).map((sort) => ({
    words: SORT_WORDS[sort],
    changes: { sort },
    isPicked: query.sort === sort,
  }))

/** Every choice is a link that keeps the other conditions. */
export const Facets = ({ query }: { readonly query: HostQuery }) => {
  const groups: readonly (readonly [string, readonly Choice[]])[] = [
    ['Rail', railChoices(query)],
    ['Network', networkChoices(query)],
    ['Price in dollars', priceChoices(query)],
    ['Requested payment', requestedChoices(query)],
    ['Sort by', sortChoices(query)],
  ]
  return (
    <nav class="facets" aria-label="Choose hosts">
      <dl>
        {groups.map(([name, choices]) => (
          <>
            <dt>{name}</dt>
            <dd>
              {choices.map(({ words, changes, isPicked }) => (
                <a key={words} href={homeHref(query, changes)} aria-current={isPicked ? 'true' : undefined}>
                  {words}
                </a>
              ))}
            </dd>
          </>
        ))}
      </dl>
    </nav>
  )
}
