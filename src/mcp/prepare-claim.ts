import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { formatPrice } from '../domain/money/price.ts'
import { claimsHref, fullAddress } from '../render/site.ts'
import { directoryOf } from '../wire/bodies/review-body.ts'
import { parseClaimBody } from '../wire/sellers/body.ts'
import { claimMessage } from '../wire/sellers/lines.ts'
import { formatSignedAt } from '../wire/signed-at.ts'
import { answered, READS } from './answer.ts'
import { hostInput, hostNamed, unknownHost } from './inputs.ts'
import { argumentsOf } from './outline.ts'
import { findingOf, HEADERS, output, SIGN_STEP, SIGNATURE, signingOf } from './preparing.ts'
import type { ToolDeps } from './tool-deps.ts'

export function registerClaim(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Prepare the claim of a host',
    description:
      'For whoever runs a listed host: says what to sign and how to send it, so that a wallet may speak for the host. Sends nothing, spends nothing; claims are free.',
    inputSchema: argumentsOf({
      host: hostInput,
      wallet: z.string().describe('The wallet that will sign and speak for the host'),
    }),
    outputSchema: output,
    annotations: READS,
  }
  server.registerTool('prepare_claim', config, (asked) =>
    answered(deps, async () => {
      const { site, nowUs, allow } = deps
      const host = hostNamed(asked.host, deps)
      const { wallet } = asked
      const signedAt = formatSignedAt(nowUs())
      const directory = directoryOf(site.baseUrl)
      const body = { host, wallet, signature: SIGNATURE, signed_at: signedAt, directory }
      const read = parseClaimBody(body, allow)
      if ((await deps.directory.hostVersion(host)) === undefined) throw await unknownHost(deps, host)
      return findingOf({
        cost: formatPrice(0),
        sign: signingOf(read.wallet, claimMessage({ host, wallet, directory, signedAt }), signedAt),
        send: [{ rail: null, method: 'POST', url: fullAddress(site, claimsHref), headers: HEADERS, body }],
        steps: [
          `Any one proves it: the wallet's signature in /.well-known/x402 of the host, its address on a line of its own in /.well-known/tollbook there, or that live challenges of the host named it as payee on three days.`,
          SIGN_STEP,
          'Send the request. 201 says what proves that the host is yours, 409 what was tried and what to do. Then prepare_statement says how to speak for it.',
        ],
      })
    }),
  )
}
