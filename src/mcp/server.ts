import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  InitializeRequestSchema,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { fullAddress, llmsHref, openapiHref } from '../render/site.ts'
import { ABOUT, EVIDENCE_LABEL, PRODUCT, TAGLINE } from '../render/words.ts'
import { NOTICE } from './answer.ts'
import { registerEventsTool } from './events-tool.ts'
import { registerLogTool } from './log-tool.ts'
import { registerPrepareTools } from './prepare-tools.ts'
import { registerReadTools } from './read-tools.ts'
import type { ToolDeps } from './tool-deps.ts'

/** With a handshake, newest first. One of them asks for batches of messages, which are not taken here: it is not spoken. */
export const INITIALIZED_VERSIONS = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== '2025-03-26')

/** A client knows what is older than what it asks for, and may know nothing newer. */
const versionFor = (asked: string): string =>
  INITIALIZED_VERSIONS.find((version) => version <= asked) ?? LATEST_PROTOCOL_VERSION

export const serverInfo = ({ site, version }: ToolDeps) => ({
  name: 'tollbook',
  title: `${PRODUCT}: ${TAGLINE}`,
  version,
  websiteUrl: site.baseUrl,
})

/** For models. */
export const instructionsOf = ({ site }: ToolDeps): string =>
  `${ABOUT} ${EVIDENCE_LABEL} Ask should_i_pay before paying a route. ${NOTICE} No tool spends anything. Every member of a result is described in ${fullAddress(site, openapiHref)}. More: ${fullAddress(site, llmsHref)}`

/** The tools, ready for one transport. */
export function createMcpServer(deps: ToolDeps): McpServer {
  const about = serverInfo(deps)
  const server = new McpServer(about)
  registerReadTools(server, deps)
  registerEventsTool(server, deps)
  registerLogTool(server, deps)
  registerPrepareTools(server, deps)
  server.server.setRequestHandler(InitializeRequestSchema, ({ params }) => ({
    protocolVersion: versionFor(params.protocolVersion),
    capabilities: { tools: {} },
    serverInfo: about,
    instructions: instructionsOf(deps),
  }))
  return server
}
