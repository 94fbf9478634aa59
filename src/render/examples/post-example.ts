import type { SellerHost } from '../../domain/host.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { TEMPO_FEE } from '../../domain/thread.ts'
import { commandLine, fullAddress, messageHref, mppThreadHref, type Site, threadHref, withQuery } from '../site.ts'
import { THREAD_DOLLARS } from '../words.ts'

const TEXT = 'Does the price include retries?'

/** How to post to a host's thread: one command, or the same by hand. `null` where no rail is set up to pay a post. */
export function postExample(site: Site, host: SellerHost) {
  const rails = railsOf(site)
  const [first] = rails
  if (first === undefined) return null
  const addresses: Readonly<Record<Rail, string>> = {
    x402: fullAddress(site, threadHref(host)),
    mpp: fullAddress(site, mppThreadHref(host)),
  }
  const addressOn = (rail: Rail): string | null => (rails.includes(rail) ? addresses[rail] : null)
  const message = fullAddress(site, withQuery(messageHref(host), { text: TEXT }))
  const places = rails.map((rail) => `to ${addresses[rail]} through ${rail}`).join(' or ')
  return {
    price: THREAD_DOLLARS,
    endpoints: { x402: addressOn('x402'), mpp: addressOn('mpp') } satisfies Record<Rail, string | null>,
    command: commandLine(
      site,
      `post ${host} --to ${site.baseUrl} --text '${TEXT}' --rail ${first} --key-file wallet.key`,
    ),
    steps: [
      `Get the four lines to sign, and the signed_at in them: GET ${message}`,
      'Sign them with EIP-191 (personal_sign) by the wallet that pays.',
      `POST {"text", "wallet", "signature", "signed_at"} as JSON ${places}; the 402 answer names network, payee and amount.`,
      `Send the same body again with the payment of an ${rails.join(' or ')} client. 201 brings the post and the receipt; after 202 send the same request again, it never charges twice.`,
    ],
  }
}

const railsOf = ({ rails = RAILS }: Site): readonly Rail[] => rails

/** Where no rail is set up. */
export const NO_POSTS = 'Posts are not taken here.'

/** What a post costs on the rails that are set up. */
export function postNote(site: Site): string {
  const rails = railsOf(site)
  const fee = rails.includes('mpp') ? ` ${TEMPO_FEE}` : ''
  return `A post costs ${THREAD_DOLLARS} dollars, through ${rails.join(' or ')}, and is signed by the wallet that pays.${fee} A refused post costs nothing.`
}
