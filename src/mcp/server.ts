import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { fullAddress, llmsHref } from '../render/site.ts'
import { ABOUT, EVIDENCE_LABEL, PRODUCT, TAGLINE } from '../render/words.ts'
import { NOTICE } from './answer.ts'
import { registerLogTool } from './log-tool.ts'
import { registerPrepareTools } from './prepare-tools.ts'
import { registerReadTools } from './read-tools.ts'
import type { ToolDeps } from './tool-deps.ts'

/** The tools, ready for one transport. */
export function createMcpServer(deps: ToolDeps): McpServer {
  const server = new McpServer(
    {
      name: 'tollbook',
      title: `${PRODUCT}: ${TAGLINE}`,
      version: deps.version,
      websiteUrl: deps.site.baseUrl,
    },
    {
      instructions: `${ABOUT} ${EVIDENCE_LABEL} Ask should_i_pay before paying a route. ${NOTICE} No tool spends anything. More: ${fullAddress(deps.site, llmsHref)}`,
    },
  )
  registerReadTools(server, deps)
  registerLogTool(server, deps)
  registerPrepareTools(server, deps)
  return server
}
