import type { SellerHost } from '../../domain/host.ts'
import { badgeHref, claimMessageHref, claimsHref, commandLine, fullAddress, hostHref, type Site } from '../site.ts'

/** The badge as Markdown, with a link to what it says. */
export const badgeSnippet = (site: Site, host: SellerHost): string =>
  `[![${host} on Tollbook](${fullAddress(site, badgeHref(host))})](${fullAddress(site, hostHref(host))})`

/** How to speak as the seller, in short. */
export const CLAIM_NOTE =
  'Prove with a wallet that the host is yours, by an ownership proof in your own document, by a file, or because live challenges name it as payee. Then answer reviews, dispute what is listed, retire, move. It is free and shown as “The seller says”; it never changes evidence.'

/** A question of sellers, its answers, and what to paste. */
export interface SellerAnswer {
  readonly question: string
  readonly answers: readonly string[]
  readonly paste?: string
}

/** What keeps our probes out of everything. */
export const ROBOTS_RULE = 'User-agent: tollbook\nDisallow: /'

const SELLER = 'api.example.com'

/** One statement of each kind, with a text where it needs one. */
const sayings = (host: SellerHost): readonly (readonly [about: string, text?: string])[] => [
  ["reply review '<id>'", 'Fixed this morning.'],
  [`correct GET https://${host}/v1/x x402`, 'It is 0.02 since May.'],
  [`retire GET https://${host}/v1/old x402`],
  ["moved '<new host>'"],
  ['contact', 'Write to help@example.com.'],
  [`probe GET https://${host}/v1/x x402`],
]

/** Questions of sellers, with commands for their host. */
export function sellerAnswers(site: Site, host: SellerHost | null): readonly SellerAnswer[] {
  const command = (words: string, more = ''): string =>
    commandLine(site, `${words} --to ${site.baseUrl}${more} --key-file wallet.key`)
  const seller = host ?? SELLER
  const message = fullAddress(site, claimMessageHref())
  const claims = fullAddress(site, claimsHref)
  return [
    {
      question: 'Why is my host here?',
      answers: [
        'A listing source named one of its routes: a public directory of paid APIs, or a document on your own host. Nobody is asked and nobody pays to be listed.',
        'The listing history of a host names every source, since when it names each route, and what was refused of your own documents.',
      ],
    },
    {
      question: 'Why is my route missing?',
      answers: [
        'No source names it, or what names it was refused: an address that is no public host, an unknown rail, a price that cannot be read. The page “why” of a host says which it is.',
        'A path with a parameter is listed and never probed: nobody knows what to put there.',
      ],
    },
    {
      question: 'How do I correct something?',
      answers: [
        'At the source. Change your entry in the listing source, or your own document; the next sweep takes it over, and the old row keeps its interval. Until then you can dispute it beside the row.',
        'The price check compares what is listed with what your newest live 402 challenge asks for. When both say the same, it says verified.',
        'A challenge that does not conform is shown with what is wrong about it; answering a conforming one to the next probe removes the warning.',
      ],
    },
    {
      question: 'How do I prove that it is mine?',
      answers: [
        'Any one of three proves that a wallet speaks for a host: a signature of the wallet over your origin in ownershipProofs of your /.well-known/x402; a file /.well-known/tollbook on your host with the address of the wallet on a line of its own and no other; or that our own probes saw the wallet as payee in your live challenges on at least three days, and under no other domain. The last one works for a host that is dead.',
        'The command below signs and sends it; the file holds the private key of the wallet in hex, and stays with you. No account is needed. Every proof is looked at again each day; what no longer holds shows until when it did.',
        `Without the command: GET ${message}?host=…&wallet=… gives the lines to sign; POST them with the signature to ${claims}.`,
      ],
      paste: command(`claim ${seller}`),
    },
    {
      question: 'How do I answer, dispute, retire or move?',
      answers: [
        'With the command “say”: reply to a review or post, correct what is listed, retire a route or the host, say that it moved to another host of yours, give a contact, or ask for a probe within a minute (six an hour for each route).',
        'It is shown as “The seller says”, apart from all evidence. Nothing that a seller says changes or hides evidence, and no count changes by it.',
        'What is retired is out of the search and probed once a week; asking for a probe sells it again.',
        'The id of a review or post stands on its own page, with the command. A new host is claimed first, with the same wallet.',
      ],
      paste: sayings(seller)
        .map(([about, text]) => command(`say ${seller} ${about}`, text === undefined ? '' : ` --text '${text}'`))
        .join('\n'),
    },
    {
      question: 'How do I stop the probes?',
      answers: [
        'Probes are unpaid requests that say who they are. These lines in your robots.txt stop them within a day; your host stays listed while a source names it.',
      ],
      paste: ROBOTS_RULE,
    },
    {
      question: 'How do I show this?',
      answers: [
        'Every host page has a badge and its snippet. It says how often the host requested payment lately, and since when it fails if it does.',
        'The Atom feed and the events of a host tell you about changes of class, price and listing, and about reviews and posts.',
      ],
    },
  ]
}

export const SELLERS_TITLE = 'For sellers'
export const SELLERS_LEAD = 'Why your API is listed here, how to correct what is said of it, and how to show it.'
