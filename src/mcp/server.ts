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

/** Newest first. One of them asks for batches of messages, which are not taken here: it is not spoken. */
const VERSIONS = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== '2025-03-26')

/** A client knows what is older than what it asks for, and may know nothing newer. */
const versionFor = (asked: string): string => VERSIONS.find((version) => version <= asked) ?? LATEST_PROTOCOL_VERSION

/** The tools, ready for one transport. */
export function createMcpServer(deps: ToolDeps): McpServer {
  const about = {
    name: 'tollbook',
    title: `${PRODUCT}: ${TAGLINE}`,
    version: deps.version,
    websiteUrl: deps.site.baseUrl,
  }
  const server = new McpServer(about)
  registerReadTools(server, deps)
  registerEventsTool(server, deps)
  registerLogTool(server, deps)
  registerPrepareTools(server, deps)
  server.server.setRequestHandler(InitializeRequestSchema, ({ params }) => ({
    protocolVersion: versionFor(params.protocolVersion),
    capabilities: { tools: {} },
    serverInfo: about,
    instructions: `${ABOUT} ${EVIDENCE_LABEL} Ask should_i_pay before paying a route. ${NOTICE} No tool spends anything. Every member of a result is described in ${fullAddress(deps.site, openapiHref)}. More: ${fullAddress(deps.site, llmsHref)}`,
  }))
  return server
}
