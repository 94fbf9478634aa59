import { parseArgs } from 'node:util'
import { formatPrice } from '../domain/price.ts'
import { addressOf } from '../domain/route.ts'
import { type AddedDocument, addSeller } from '../ingest/add.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'
import { table } from './table.ts'

const usage = 'tollbook add <url>       read the documents of one seller and list its routes'

async function run(argv: string[], context: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true })
  const [url] = positionals
  if (url === undefined || positionals.length > 1) throw usageProblem(usage)
  const store = await context.openStore()
  try {
    const added = await addSeller(context.ingesting(store), url)
    for (const document of added) context.out.write(report(document))
    const routes = added.reduce((sum, { found }) => sum + found.listings.length, 0)
    context.out.write(`${routes} listing rows stored.\n`)
    return routes > 0 ? 0 : 1
  } finally {
    await store.close()
  }
}

/** What was asked, what was found and what was refused. */
function report({ source, answers, found }: AddedDocument): string {
  const asked = answers.map(({ url, answer }) => `${source}: ${url} ${answer}\n`).join('')
  const rows = found.listings.map(({ method, address, rail, price, network }) => [
    method,
    addressOf(address.scheme, address.host, address.path),
    rail,
    price === null ? 'no data' : formatPrice(price),
    network ?? 'no data',
  ])
  const listed = rows.length === 0 ? '' : table(['method', 'address', 'rail', 'price', 'network'], rows)
  return asked + listed + found.refused.map(({ reason, item }) => `refused ${reason}: ${item}\n`).join('')
}

export const addCommand: Command = { usage, run }
