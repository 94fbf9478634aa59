import { ACCOMPLICE, LIARS } from './liars.ts'
import { bazaar, index, mpp, own, route, type SampleRoute, type SampleSeller, seller } from './seller.ts'

export const SELLERS: readonly SampleSeller[] = [
  seller('weather', [
    route('GET', '/v1/forecast', '0.02', [bazaar('0.02'), index('0.02'), own('openapi', '0.02')], {
      about: 'The weather of the next days, by place.',
      terms: { signs: '0.02' },
    }),
    route('GET', '/v1/now', '0.01', [bazaar('0.01'), own('well-known', '0.01')], {
      about: 'The weather as it is now, by place.',
    }),
  ]),
  seller('quotes', [route('GET', '/v1/quote', '0.01', [bazaar('0.01', 'base-sepolia')])], 1),
  seller('translate', [
    route('POST', '/translate', '0.005', [mpp('0.005')], { rails: ['mpp'], about: 'Translates a text.' }),
  ]),
  seller('pictures', [
    route('POST', '/v1/images', '0.03', [bazaar('0.03'), index('0.03')], { about: 'Makes an image of a text.' }),
  ]),
  seller('sketch', [
    route('POST', '/v1/images', '0.008', [bazaar('0.008')], { about: 'Draws an image of a text, black on white.' }),
  ]),
  seller('both-rails', [route('GET', '/search', '0.05', [bazaar('0.05'), mpp('0.05')], { rails: ['x402', 'mpp'] })]),
  seller('free', [route('GET', '/ping', '0', [bazaar('0')], { manner: 200 })]),
  seller('dearer', [route('GET', '/quote', '0.03', [bazaar('0.01')])]),
  seller('disagree', [route('GET', '/data', '0.01', [bazaar('0.01'), index('0.25', 'solana')])]),
  seller(
    'flaky',
    ['one', 'two', 'three', 'four'].map((name) =>
      route('GET', `/maybe/${name}`, '0.001', [bazaar('0.001')], { manner: 'flaky' }),
    ),
  ),
  seller('slow', [route('GET', '/report', '1.5', [bazaar('1.5')], { manner: 'late' })]),
  seller('locked', [route('GET', '/private', '0', [index(null, null)], { manner: 401 })]),
  seller('gone', [route('GET', '/old', '0.01', [bazaar('0.01')], { manner: 404 })]),
  seller('picky', [route('POST', '/upload', '0.1', [index('0.1')], { manner: 415 })]),
  seller('garbled', [route('GET', '/odd', '0.01', [bazaar('0.01')], { manner: 'garbled' })]),
  seller('walled', [route('GET', '/v1/news', '0.01', [bazaar('0.01')], { manner: 'walled' })]),
  seller('unreachable', [route('GET', '/v1/x', '0.01', [bazaar('0.01')])]),
  seller('templates', [
    route('GET', '/mcp/files/__tool__/{name}', '0.002', [bazaar('0.002')]),
    route('GET', '/users/:id', '0.01', [bazaar('0.01')]),
  ]),
  seller('insider', [route('GET', '/tips', '0.01', [bazaar('0.01')])]),
  seller(
    'catalogue',
    Array.from({ length: 300 }, (_, at) =>
      route('GET', `/items/${String(at + 1).padStart(3, '0')}`, '0.0005', [bazaar('0.0005')]),
    ),
  ),
  ...Object.values(LIARS),
  ACCOMPLICE,
]

export const isListed = ({ routes }: SampleSeller): boolean => routes.some(({ listings }) => listings.length > 0)

/** Turns one of two probers away. */
export const WALLED = 'walled.seller.test'

/** Nobody listens for this one. */
export const UNREACHABLE = 'unreachable.seller.test'

const segmentsOf = (path: string): string[] => path.split('/')

const fits = (listed: string, given: string): boolean => {
  const parts = segmentsOf(listed)
  const said = segmentsOf(given)
  return parts.length === said.length && parts.every((part, at) => /^(?::|\{)/.test(part) || part === said[at])
}

/** The route that a request names, if the seller has it. */
export const routeAt = ({ routes }: SampleSeller, method: string, path: string): SampleRoute | undefined =>
  routes.find((candidate) => candidate.method === method && fits(candidate.path, path))
