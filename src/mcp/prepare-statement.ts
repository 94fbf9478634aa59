import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { formatPrice } from '../domain/money/price.ts'
import { ABOUT_FORMS, STATEMENT_KINDS } from '../domain/seller/words.ts'
import { apiStatementsHref, fullAddress } from '../render/site.ts'
import { directoryOf } from '../wire/bodies/review-body.ts'
import { parseStatementBody } from '../wire/sellers/body.ts'
import { statementDigestMessage } from '../wire/sellers/lines.ts'
import { formatSignedAt } from '../wire/signed-at.ts'
import { textDigest } from '../wire/signed-lines.ts'
import { answered, READS } from './answer.ts'
import { hostInput, hostNamed, unknownHost } from './inputs.ts'
import { argumentsOf } from './outline.ts'
import { findingOf, HEADERS, output, SIGN_STEP, SIGNATURE, signingOf } from './preparing.ts'
import type { ToolDeps } from './tool-deps.ts'

export function registerStatement(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: "Prepare a seller's statement",
    description:
      'For whoever runs a listed host: says what to sign and how to send an answer to a review, a correction, a retirement, a move, a contact or a request to be probed. Sends nothing, spends nothing; statements are free.',
    inputSchema: argumentsOf({
      host: hostInput,
      kind: z.enum(STATEMENT_KINDS),
      about: z.string().describe(STATEMENT_KINDS.map((kind) => `${kind}: ${ABOUT_FORMS[kind]}`).join('; ')),
      text: z.string().max(8000).default('').describe('Your own words; may be empty for retire, moved and probe'),
      wallet: z.string().describe('The wallet that has proved to speak for the host, and will sign'),
    }),
    outputSchema: output,
    annotations: READS,
  }
  server.registerTool('prepare_statement', config, (asked) =>
    answered(deps, async () => {
      const { site, nowUs, allow } = deps
      const host = hostNamed(asked.host, deps)
      const { kind, about, text, wallet } = asked
      const signedAt = formatSignedAt(nowUs())
      const directory = directoryOf(site.baseUrl)
      const body = { kind, about, text, wallet, signature: SIGNATURE, signed_at: signedAt, directory }
      const read = parseStatementBody(body, host, allow)
      if ((await deps.directory.hostVersion(host)) === undefined) throw await unknownHost(deps, host)
      const message = statementDigestMessage({ host, kind, about, directory, signedAt }, textDigest(text))
      return findingOf({
        cost: formatPrice(0),
        sign: signingOf(read.wallet, message, signedAt, text),
        send: [{ rail: null, method: 'POST', url: fullAddress(site, apiStatementsHref(host)), headers: HEADERS, body }],
        steps: [
          'The wallet must have proved to speak for the host. If it has not, prepare_claim says how.',
          SIGN_STEP,
          'Send the request. 201 brings the stored statement, which is shown as “The seller says”.',
        ],
      })
    }),
  )
}
