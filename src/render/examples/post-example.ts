import type { SellerHost } from '../../domain/host.ts'
import type { Rail } from '../../domain/route.ts'
import { TEMPO_FEE } from '../../domain/thread.ts'
import { commandLine, fullAddress, messageHref, mppThreadHref, type Site, threadHref, withQuery } from '../site.ts'
import { THREAD_DOLLARS } from '../words.ts'

const TEXT = 'Does the price include retries?'

/** How to post to a host's thread: one command, or the same by hand. */
export function postExample(site: Site, host: SellerHost) {
  const endpoints: Readonly<Record<Rail, string>> = {
    x402: fullAddress(site, threadHref(host)),
    mpp: fullAddress(site, mppThreadHref(host)),
  }
  const message = fullAddress(site, withQuery(messageHref(host), { text: TEXT }))
  return {
    price: THREAD_DOLLARS,
    endpoints,
    command: commandLine(site, `post ${host} --to ${site.baseUrl} --text '${TEXT}' --rail x402 --key-file wallet.key`),
    steps: [
      `Get the four lines to sign, and the signed_at in them: GET ${message}`,
      'Sign them with EIP-191 (personal_sign) by the wallet that pays.',
      `POST {"text", "wallet", "signature", "signed_at"} as JSON to ${endpoints.x402} through x402 or to ${endpoints.mpp} through mpp; the 402 answer names network, payee and amount.`,
      'Send the same body again with the payment of an x402 or mpp client. 201 brings the post and the receipt; after 202 send the same request again, it never charges twice.',
    ],
  }
}

export const POST_NOTE = `A post costs ${THREAD_DOLLARS} dollars, through x402 or mpp, and is signed by the wallet that pays. ${TEMPO_FEE} A refused post costs nothing.`
