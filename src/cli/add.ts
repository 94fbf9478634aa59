import { parseArgs } from 'node:util'
import type { SellerHost } from '../domain/host.ts'
import { formatPrice } from '../domain/money/price.ts'
import { addressOf } from '../domain/route.ts'
import { type AddedDocument, addSeller } from '../ingest/add-seller.ts'
import { hostNamedLine, refusedLine } from '../render/listing-words.ts'
import type { Store } from '../store/store.ts'
import { listingHistoryOf } from '../views/host/open-listing-history.ts'
import { ADD } from './catalogue/evidence.ts'
import { type Command, type CommandContext, onlyWord } from './command.ts'
import { table } from './terminal/table.ts'

async function run(argv: string[], context: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: ADD.options })
  const url = onlyWord(ADD, positionals, 'the address of a seller')
  const store = await context.openStore()
  try {
    const added = await addSeller(await context.ingesting(store), url)
    for (const document of added) context.out.write(report(document))
    context.out.write(await history(store, hostOf(added)))
    const routes = added.reduce((sum, { found }) => sum + found.listings.length, 0)
    context.out.write(`${routes} listing rows stored.\n`)
    return routes > 0 ? 0 : 1
  } finally {
    await store.close()
  }
}

/** Where the seller is listed and since when, over all sources, in the words of its listing history. */
async function history(store: Store, host: SellerHost | undefined): Promise<string> {
  const view = host === undefined ? undefined : await listingHistoryOf(store, host, { limit: 1, cursor: null })
  return (view?.sources ?? []).map((named) => `${hostNamedLine(named)}\n`).join('')
}

/** The host whose documents were asked for. */
const hostOf = (added: readonly AddedDocument[]): SellerHost | undefined => {
  const url = added.flatMap(({ answers }) => answers.map((answer) => answer.url))[0]
  return url === undefined ? undefined : new URL(url).host
}

/** Of documents that were not asked for. */
const NOT_ASKED = new Map([
  ['opted_out', 'not asked: this directory leaves the host alone (PROBE_OPT_OUT)'],
  ['robots', 'not asked: robots.txt of the host forbids the path to Tollbook'],
  ['paused', 'not asked: the host wants to be left alone for now'],
])

/** What was asked, what was found and what was refused. */
function report({ source, sha256, answers, found }: AddedDocument): string {
  const asked = answers.map(({ url, answer }) => `${source}: ${url} ${NOT_ASKED.get(answer) ?? answer}\n`).join('')
  const hash = sha256 === null ? '' : `${source}: SHA-256 ${sha256}\n`
  const rows = found.listings.map(({ method, address, rail, price, network }) => [
    method,
    addressOf(address.scheme, address.host, address.path),
    rail,
    price === null ? 'no data' : formatPrice(price),
    network ?? 'no data',
  ])
  const listed = rows.length === 0 ? '' : table(['method', 'address', 'rail', 'price', 'network'], rows)
  return asked + hash + listed + found.refused.map((refused) => `${refusedLine(refused)}\n`).join('')
}

export const addCommand: Command = { run }
