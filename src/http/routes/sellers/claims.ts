import { problem } from '../../../domain/problem-kinds.ts'
import { claimJson } from '../../../render/json/statement.ts'
import { apiStatementsHref, fullAddress } from '../../../render/site.ts'
import { PATHS } from '../../../wire/paths.ts'
import { claimMessage } from '../../../wire/sellers/lines.ts'
import { parseWallet } from '../../../wire/wallet.ts'
import { readJsonBody } from '../../body.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostNamed, requireHost } from '../../hosts-named.ts'
import { json } from '../../openapi/operation.ts'
import { EXAMPLES, inQuery } from '../../openapi/parameters.ts'
import { BODY_PROBLEMS, HOST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'
import { DIRECTORY_PARAMETER, directoryIn, FORM_PARAMETERS, sendLines, signingForm } from '../writing/signing.ts'
import { storedResponse } from '../writing/stored.ts'

const GIVE = 'Give host and wallet.'

export const submitClaimEndpoint = createEndpoint({
  ...{ method: 'post', path: PATHS.claims, id: 'submitClaim', tag: 'Sellers' },
  summary: 'Prove that a host is yours',
  description:
    "Free. Any one proves it: the wallet's signature over the origin in the host's /.well-known/x402, the wallet's address on a line of its own in the host's /.well-known/tollbook, or that live challenges named the wallet as payee on at least three days and under no other domain. Looked at again every day.",
  body: {
    schema: 'ClaimRequest',
    example: { host: EXAMPLES.host, wallet: EXAMPLES.wallet, signed_at: EXAMPLES.signedAt, signature: '0x…' },
  },
  answers: {
    200: {
      ...json('Claim', 'The wallet had claimed the host before; its proofs were looked at again'),
      headers: { Location: 'What the seller says' },
    },
    201: { ...json('Claim', 'What proved it'), headers: { Location: 'What the seller says' } },
  },
  problems: [...BODY_PROBLEMS, 'unknown-host', 'claim-unproven', 'too-many-claims'],
  handler:
    ({ site, sellers, writeLimits }) =>
    async (context) => {
      const { incoming, call } = context.env
      const gate = writeLimits.gate(incoming, call.head)
      const { claim, isNew } = await sellers.claim(await readJsonBody(context.req.raw), gate)
      return storedResponse(gate, isNew, claimJson(claim.host, claim), fullAddress(site, apiStatementsHref(claim.host)))
    },
})

export const claimMessageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.claimMessage, id: 'claimMessage', tag: 'Sellers' },
  summary: 'The four lines that a claim’s wallet signs',
  parameters: [
    inQuery('host', 'The seller host that is claimed', { required: true, example: EXAMPLES.host }),
    inQuery('wallet', 'The wallet that signs', { required: true, example: EXAMPLES.wallet }),
    ...FORM_PARAMETERS,
    DIRECTORY_PARAMETER,
  ],
  answers: {
    200: {
      description: 'The lines to sign: JSON, or exactly the text to sign',
      content: { 'application/json': 'ClaimMessage', 'text/plain': 'text' },
    },
  },
  problems: HOST_PROBLEMS,
  handler: (services) => async (context) => {
    const parameters = new Parameters(context.req.url)
    const given = parameters.required(GIVE)
    const host = hostNamed(given.text('host'), services)
    const wallet = given.text('wallet')
    if (parseWallet(wallet) === undefined) {
      throw problem('invalid-parameter', 'The parameter wallet must be an EVM address or a Solana one.', {
        hint: GIVE,
        more: { parameter: 'wallet' },
      })
    }
    const { signedAt, asText } = signingForm(context, parameters, services.nowUs())
    const directory = directoryIn(parameters, services.site)
    await requireHost(services, host)
    const message = claimMessage({ host, wallet, directory, signedAt })
    return sendLines({ message, signed_at: signedAt }, asText)
  },
})
