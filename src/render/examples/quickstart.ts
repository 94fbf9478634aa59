import type { Rail } from '../../domain/route.ts'
import { fillPath, PAID_THREAD_PATHS } from '../../wire/paths.ts'
import {
  commandLine,
  decideHref,
  feedHref,
  fullAddress,
  hostEventsHref,
  mcpHref,
  reviewsHref,
  type Site,
  withQuery,
} from '../site.ts'
import { THREAD_DOLLARS } from '../words.ts'

/** One thing to do first, with what to paste. */
export interface Task {
  readonly id: string
  readonly title: string
  readonly words: string
  readonly pastes: readonly { readonly name: string; readonly text: string }[]
}

const SELLER = 'api.example.com'

/** The six tasks that most come for, and the rails that a post is paid through. */
export function quickstart(site: Site, rails: readonly Rail[]): readonly Task[] {
  const url = `https://${SELLER}/v1/x`
  const decide = fullAddress(site, withQuery(decideHref, { method: 'GET', url, rail: 'x402' }))
  const paidHref = fillPath(PAID_THREAD_PATHS[rails[0] ?? 'x402'], { host: SELLER })
  const review = { url, method: 'GET', rail: 'x402', rating: 4, text: 'Paid once, answered in 80 ms.' }
  return [
    {
      id: 'ask',
      title: 'Ask before you pay',
      words: `What is listed, what it really asks for, whether it answers now and what buyers wrote, for one route. ${SELLER} stands for a seller here and below: put one that is listed in its place.`,
      pastes: [{ name: 'In a shell', text: `curl '${decide}'` }],
    },
    { id: 'guard', title: 'Have your program ask by itself', words: GUARD_WORDS, pastes: guards(site, url) },
    {
      id: 'pay',
      title: 'Pay for a post',
      words: `A post to the thread of a host costs ${THREAD_DOLLARS} dollars through ${rails.join(' or ')}. The first answer is 402 with the price; an ${rails.join(' or ')} client pays it and sends the same again.`,
      pastes: [
        {
          name: 'By the command',
          text: commandLine(
            site,
            `post ${SELLER} --to ${site.baseUrl} --text 'Does it keep its limits?' --key-file wallet.key`,
          ),
        },
        { name: 'What it asks for', text: `curl -i -X POST '${fullAddress(site, paidHref)}'` },
      ],
    },
    {
      id: 'review',
      title: 'Review a route',
      words: 'Free. Signed by a wallet it counts more, and most with the payment that bought it.',
      pastes: [
        {
          name: 'Unsigned',
          text: `curl -X POST '${fullAddress(site, reviewsHref)}' -H 'Content-Type: application/json' -d '${JSON.stringify(review)}'`,
        },
        {
          name: 'Signed',
          text: commandLine(
            site,
            `review ${url} --to ${site.baseUrl} --rating 4 --text 'Paid once, answered in 80 ms.' --key-file wallet.key`,
          ),
        },
      ],
    },
    {
      id: 'follow',
      title: 'Follow what changes',
      words: 'Prices, classes, routes, reviews and posts, of one host or of all: as Atom, JSON or a stream.',
      pastes: [
        {
          name: 'A stream',
          text: `curl -N -H 'Accept: text/event-stream' '${fullAddress(site, hostEventsHref(SELLER)).replace('&format=json', '')}'`,
        },
        { name: 'A feed', text: fullAddress(site, feedHref) },
      ],
    },
    { id: 'mcp', title: 'Connect your agent', words: MCP_WORDS, pastes: mcpClients(site) },
  ]
}

const GUARD_WORDS =
  'A guard asks before an x402 or mpp client signs anything, holds what the seller asks for now against what is known, and stops the payment where they do not agree. Nothing is signed then.'

const createsGuard = ({ baseUrl }: Site): string =>
  `const guard = createGuard({ directory: '${baseUrl}', policy: { maxPrice: '0.05' } })`

/** As in docs/guard.md, for this directory. */
function guards(site: Site, url: string): Task['pastes'] {
  const offer = { method: 'GET', url, rail: 'x402', offer: { price: '0.02', network: 'eip155:8453' } }
  return [
    {
      name: 'x402, with tollbook, @x402/fetch, @x402/evm and viem from npm',
      text: `import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { createGuard } from 'tollbook/guard'
import { privateKeyToAccount } from 'viem/accounts'

const client = new x402Client().register('eip155:*', new ExactEvmScheme(privateKeyToAccount('0x…')))
${createsGuard(site)}
const fetchPaid = wrapFetchWithPayment(guard.fetch(fetch), guard.x402(new x402HTTPClient(client)))

const answer = await fetchPaid('${url}')`,
    },
    {
      name: 'mpp, with tollbook, mppx and viem from npm',
      text: `import { Mppx, tempo } from 'mppx/client'
import { createGuard } from 'tollbook/guard'
import { privateKeyToAccount } from 'viem/accounts'

${createsGuard(site)}
const account = privateKeyToAccount('0x…')
const mppx = guard.mppx(Mppx.create)({ polyfill: false, methods: [tempo.charge({ account })] })

const answer = await mppx.fetch('${url}', { method: 'POST' })`,
    },
    {
      name: 'Any other language: what a live 402 asks for',
      text: `curl -X POST '${fullAddress(site, decideHref)}' -H 'Content-Type: application/json' -d '${JSON.stringify(offer)}'`,
    },
    {
      name: 'On a terminal',
      text: commandLine(site, `ask ${url} --price 0.02 --network eip155:8453 --to ${site.baseUrl}`),
    },
  ]
}

const MCP_WORDS =
  'The same evidence as tools of the Model Context Protocol, over HTTP and without a key. No tool spends anything. Paste what your client takes.'

/** The configuration that each of the usual clients takes. */
function mcpClients(site: Site): Task['pastes'] {
  const url = fullAddress(site, mcpHref)
  const pretty = (value: unknown): string => JSON.stringify(value, null, 2)
  return [
    { name: 'Claude Code', text: `claude mcp add --transport http tollbook ${url}` },
    { name: 'Claude Desktop, as a custom connector', text: url },
    { name: 'Cursor, in .cursor/mcp.json', text: pretty({ mcpServers: { tollbook: { url } } }) },
    { name: 'VS Code, in .vscode/mcp.json', text: pretty({ servers: { tollbook: { type: 'http', url } } }) },
    {
      name: 'Any client that starts a command',
      text: pretty({ mcpServers: { tollbook: { command: 'npx', args: ['tollbook', 'mcp', '--to', site.baseUrl] } } }),
    },
  ]
}
