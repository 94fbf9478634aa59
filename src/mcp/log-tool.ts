import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { problem } from '../domain/problem-kinds.ts'
import { fenced } from '../render/markdown/quote.ts'
import { fullAddress, logVerifierHref } from '../render/site.ts'
import { answered, READS } from './answer.ts'
import { argumentsOf, outlineOf } from './outline.ts'
import type { ToolDeps } from './tool-deps.ts'

const OUTPUT = outlineOf(
  z.object({
    index: z.int(),
    entry: z.record(z.string(), z.unknown()).describe('Without strangers’ words, of which it has the SHA-256'),
    proof: z.string().describe('A proof of inclusion with its checkpoint (c2sp.org/tlog-proof)'),
  }),
)

/** What the evidence log has at one place, and the proof of it. */
export function registerLogTool(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Prove a piece of evidence',
    description:
      'What the evidence log says at one place, such as the log.index beside a review, post, probe entry, listing, claim, statement or signed offer, and the proof that it is in the log: a text to keep, with the signed checkpoint.',
    inputSchema: argumentsOf({ index: z.int().min(0).describe('The place in the log, from 0 on') }),
    outputSchema: OUTPUT,
    annotations: READS,
  }
  server.registerTool('get_log_proof', config, ({ index }) =>
    answered(deps, async () => {
      const log = await deps.log()
      if (log === null) throw problem('log-off', 'This directory keeps no signed log: its operator has set no LOG_KEY.')
      const [entry, proof] = await Promise.all([log.entry(index), log.proof(index)])
      if (entry === undefined || proof === undefined)
        throw problem('not-found', 'The log has no entry at this place, or nothing is signed any more.', {
          hint: 'Take the place from log.index of a piece of evidence that get_host or get_route shows.',
        })
      const verify = `curl -sO ${fullAddress(deps.site, logVerifierHref)} && node verify.mjs ${deps.site.baseUrl} ${index}`
      const blocks = [`# Entry ${index} of the log`, fenced(entry, 'json'), fenced(proof), fenced(verify, 'sh')]
      return { document: { index, entry: JSON.parse(entry), proof }, markdown: `${blocks.join('\n\n')}\n` }
    }),
  )
}
