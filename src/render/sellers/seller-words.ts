import type { SellerHost } from '../../domain/host.ts'
import { badgeHref, fullAddress, hostHref, type Site } from '../site.ts'

/** The badge as Markdown, with a link to what it says. */
export const badgeSnippet = (site: Site, host: SellerHost): string =>
  `[![${host} on Tollbook](${fullAddress(site, badgeHref(host))})](${fullAddress(site, hostHref(host))})`

/** How to speak as the seller, in short. */
export const CLAIM_NOTE =
  'Prove with a wallet that the host is yours, by an ownership proof in your own document, by a file, or because live challenges name it as payee. Then answer reviews, dispute what is listed, retire, move. It is free and shown as “The seller says”; it never changes evidence.'

/** Questions of sellers, each with its answer. */
export const SELLER_ANSWERS: readonly (readonly [question: string, answers: readonly string[]])[] = [
  [
    'Why is my host here?',
    [
      'A listing source named one of its routes: a public directory of paid APIs, or a document on your own host. Nobody is asked and nobody pays to be listed.',
      'The listing history of a host names every source, since when it names each route, and what was refused of your own documents.',
    ],
  ],
  [
    'Why is my route missing?',
    [
      'No source names it, or what names it was refused: an address that is no public host, an unknown rail, a price that cannot be read. The page “why” of a host says which it is.',
      'A path with a parameter is listed and never probed: nobody knows what to put there.',
    ],
  ],
  [
    'How do I correct something?',
    [
      'At the source. Change your entry in the listing source, or your own document; the next sweep takes it over, and the old row keeps its interval. Until then you can dispute it beside the row.',
      'The price check compares what is listed with what your newest live 402 challenge asks for. When both say the same, it says verified.',
      'A challenge that does not conform is shown with what is wrong about it; answering a conforming one to the next probe removes the warning.',
    ],
  ],
  [
    'How do I prove that it is mine?',
    [
      'Any one of three proves that a wallet speaks for a host: a signature of the wallet over your origin in ownershipProofs of your /.well-known/x402; a file /.well-known/tollbook on your host with the address of the wallet on a line of its own and no other; or that our own probes saw the wallet as payee in your live challenges on at least three days, and under no other domain. The last one works for a host that is dead.',
      'The command “claim” signs and sends it. No account is needed. Every proof is looked at again each day; what no longer holds shows until when it did.',
    ],
  ],
  [
    'How do I answer, dispute, retire or move?',
    [
      'With the command “say”: reply to a review or post, correct what is listed, retire a route or the host, say that it moved to another host of yours, give a contact, or ask for a probe within a minute (six an hour for each route).',
      'It is shown as “The seller says”, apart from all evidence. Nothing that a seller says changes or hides evidence, and no count changes by it.',
      'What is retired is out of the search and probed once a week; asking for a probe sells it again.',
    ],
  ],
  [
    'How do I stop the probes?',
    [
      'Probes are unpaid requests that say who they are. A rule for our user agent in your robots.txt stops them within a day.',
    ],
  ],
  [
    'How do I show this?',
    [
      'Every host page has a badge and its snippet. It says how often the host requested payment lately, and since when it fails if it does.',
      'The Atom feed and the events of a host tell you about changes of class, price and listing, and about reviews and posts.',
    ],
  ],
]

export const SELLERS_TITLE = 'For sellers'
export const SELLERS_LEAD = 'Why your API is listed here, how to correct what is said of it, and how to show it.'
