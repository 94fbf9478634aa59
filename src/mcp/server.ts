import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { fullAddress, llmsHref } from '../render/site.ts'
import { ABOUT, EVIDENCE_LABEL, PRODUCT, TAGLINE } from '../render/words.ts'
import { NOTICE } from './answer.ts'
import { registerPrepareTools } from './prepare-tools.ts'
import { registerReadTools } from './read-tools.ts'
import type { McpWorld } from './world.ts'

/** The tools, ready for one transport. */
export function createMcpServer(world: McpWorld): McpServer {
  const server = new McpServer(
    {
      name: 'tollbook',
      title: `${PRODUCT}: ${TAGLINE}`,
      version: world.version,
      websiteUrl: world.site.baseUrl,
    },
    {
      instructions: `${ABOUT} ${EVIDENCE_LABEL} Ask should_i_pay before paying a route. ${NOTICE} No tool spends anything. More: ${fullAddress(world.site, llmsHref)}`,
    },
  )
  registerReadTools(server, world)
  registerPrepareTools(server, world)
  return server
}
