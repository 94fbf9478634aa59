import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, expect } from 'vitest'
import { z } from 'zod'
import { NOTICE } from '../../../src/mcp/answer.ts'

export const HOST = 'api.example.com'
/** Another than `ROUTE`, whose reviews are counted here. */
export const REVIEWED = { method: 'POST', url: `https://${HOST}/v1/x`, rail: 'mpp' }
export const ROUTE = { method: 'GET', url: `https://${HOST}/v1/x`, rail: 'x402' }

export const result = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})

type Asked = Record<string, unknown>

/** Who asks the tools: the official client on some transport. */
export interface Agent {
  readonly client: Client
  /** Of the directory that it asks. */
  readonly address: () => string
  /** The client itself holds structured content against the tool's output schema. */
  readonly call: (name: string, asked: Asked) => Promise<z.infer<typeof result>>
  /** What is no error, and begins with the notice. */
  readonly said: (name: string, asked: Asked) => Promise<{ readonly text: string; readonly document: Asked }>
}

/** Connected before the tests of a suite, and closed after them. */
export function agentForTests(address: () => string, transport: () => Transport): Agent {
  const client = new Client({ name: 'test', version: '1.0.0' })
  beforeAll(() => client.connect(transport()))
  afterAll(() => client.close())
  const call: Agent['call'] = async (name, asked) => result.parse(await client.callTool({ name, arguments: asked }))
  return {
    ...{ client, address, call },
    said: async (name, asked) => {
      const { isError, content, structuredContent } = await call(name, asked)
      expect([name, isError ?? false, content[0]?.text.startsWith(`> ${NOTICE}\n`)]).toEqual([name, false, true])
      expect(structuredContent?.notice).toBe(NOTICE)
      return { text: content[0]?.text ?? '', document: structuredContent ?? {} }
    },
  }
}
