import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compareBytes } from '../src/domain/order.ts'
import { addressOf, parseAddress } from '../src/domain/route.ts'
import type { Found, FoundListing } from '../src/ingest/found.ts'
import { parseBazaar } from '../src/ingest/sources/bazaar.ts'
import { parseMppDirectory } from '../src/ingest/sources/mpp-directory.ts'
import { parseOpenapi } from '../src/ingest/sources/openapi.ts'
import { parseWellKnown } from '../src/ingest/sources/well-known.ts'

/** What one fixture file gave, for the table of `docs/sources.md` and the test that keeps it true. */
export interface FixtureResult {
  readonly source: string
  readonly file: string
  readonly found: Found
}

/** The fixtures do not say where they were served. A document without an absolute address is read as this host's. */
const INVENTED = 'https://seller.example'

const routeOf = (listing: FoundListing): string =>
  `${listing.method} ${listing.rail} ${addressOf(listing.address.scheme, listing.address.host, listing.address.path)}`

export const routesIn = (found: Found): number => new Set(found.listings.map(routeOf)).size

/** The first of a document's addresses that says where its routes are, so that it speaks for its own host. */
function servedFrom(text: string, path: string): string {
  const named =
    /"(?:resourceServerUrl|serviceUrl|endpoint|servers)":\s*(?:\[\s*\{\s*"url":\s*)?"(https:\/\/[^"]+)"/.exec(text)
  const listed = /"resources":\s*\[\s*"(https:\/\/[^"]+)"/.exec(text)
  const reading = parseAddress(named?.[1] ?? listed?.[1] ?? INVENTED)
  return reading.ok ? addressOf(reading.address.scheme, reading.address.host, path) : `${INVENTED}${path}`
}

export function readFixtures(folder: string): FixtureResult[] {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const inFolder = (name: string): string[] =>
    readdirSync(join(folder, name))
      .sort()
      .map((file) => `${name}/${file}`)
  const context = { allow: [] }
  const own = (path: string, parse: typeof parseOpenapi) => (file: string) => {
    const text = read(file)
    return parse(JSON.parse(text), { allow: [], base: servedFrom(text, path) })
  }
  const openapi = own('/openapi.json', parseOpenapi)
  const wellKnown = own('/.well-known/x402', parseWellKnown)
  return [
    { source: 'bazaar', file: 'bazaar-500.json', found: parseBazaar(JSON.parse(read('bazaar-500.json')), context) },
    {
      source: 'mpp-directory',
      file: 'mpp-services-30.json',
      found: parseMppDirectory(JSON.parse(read('mpp-services-30.json')), context),
    },
    ...inFolder('openapi').map((file) => ({ source: 'openapi', file, found: openapi(file) })),
    ...inFolder('wellknown').map((file) => ({ source: 'well-known', file, found: wellKnown(file) })),
  ]
}

function refusedText(found: Found): string {
  const counts = new Map<string, number>()
  for (const { reason } of found.refused) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  if (counts.size === 0) return 'none'
  return [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ')
}

/** The Markdown table of `docs/sources.md`. */
export function fixtureTable(results: readonly FixtureResult[]): string {
  const lines = results.map(({ source, file, found }) => {
    const priced = found.listings.filter((listing) => listing.price !== null).length
    const onNetwork = found.listings.filter((listing) => listing.network !== null).length
    const payees = found.listings.filter((listing) => listing.payees.length > 0).length
    const cells = [
      source,
      basename(file),
      found.seen,
      routesIn(found),
      found.listings.length,
      priced,
      onNetwork,
      payees,
    ]
    return `| ${cells.join(' | ')} | ${refusedText(found)} |`
  })
  return [
    '| Source | File | Items | Routes | Rows | with price | with network | with payee | Refused |',
    '|---|---|---:|---:|---:|---:|---:|---:|---|',
    ...lines,
  ].join('\n')
}

/** SHA-256 over every row and every refusal, in the order of their bytes: equal where nothing is read in another way. */
export function rowsHash(results: readonly FixtureResult[]): string {
  const lines = results.flatMap(({ file, found }) => [
    ...found.listings.map((one) => `${file} ${routeOf(one)} ${one.price ?? 'no data'} ${one.network ?? 'no data'}`),
    ...found.refused.map(({ reason, item }) => `${file} refused ${reason} ${item}`),
  ])
  return createHash('sha256').update(lines.toSorted(compareBytes).join('\n')).digest('hex')
}

/** Where the samples are, seen from the root of the repository; not every checkout has them. */
export const FIXTURES = join('..', 'shared', 'fixtures')

if (process.argv[1]?.endsWith('fixture-table.js')) {
  // Run from the root of the repository, beside the samples.
  if (existsSync(FIXTURES)) {
    const results = readFixtures(FIXTURES)
    process.stdout.write(`${fixtureTable(results)}\n\nSHA-256 of all rows and refusals: ${rowsHash(results)}\n`)
  } else {
    process.stderr.write(`${FIXTURES} is not here\n`)
    process.exitCode = 1
  }
}
