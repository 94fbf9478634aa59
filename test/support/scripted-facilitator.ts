import { createServer, type ServerResponse } from 'node:http'
import { z } from 'zod'

/** What happens to the next calls of a facilitator; `…-after` names what happens after the money has moved. */
export type Script =
  | 'ok'
  | 'invalid'
  | 'refuse'
  | 'hang'
  | 'reset'
  | 'error'
  | 'hang-after'
  | 'reset-after'
  | 'error-after'
  | 'pending-after'
  | 'failed-after'
  | 'wrong-payer'
  | 'no-payer'
  | 'null-payer'
  | 'empty-payer'
  | 'wrong-network'
  | 'wrong-amount'
  | 'empty-transaction'
  | 'other-transaction'
  /** Success is claimed and nothing was done. */
  | 'lie'

export interface ScriptedFacilitator {
  readonly url: string
  script: Script
  /** Paths that were called, in order. */
  readonly calls: string[]
  stop(): Promise<void>
}

const answer = z.record(z.string(), z.unknown())
const OTHER = { payer: '0x00000000000000000000000000000000000000AA', transaction: `0x${'ab'.repeat(32)}` }

/** How a true answer to `settle` is told. */
const TOLD: Readonly<Partial<Record<Script, Record<string, unknown>>>> = {
  'pending-after': { success: false, errorReason: 'settlement_pending' },
  'failed-after': { success: false, errorReason: 'invalid_exact_evm_transaction_failed', transaction: '' },
  'wrong-payer': { payer: OTHER.payer },
  'no-payer': { payer: undefined },
  'null-payer': { payer: null },
  'empty-payer': { payer: '' },
  'wrong-network': { network: 'eip155:1' },
  'wrong-amount': { amount: '1' },
  'empty-transaction': { transaction: '' },
  'other-transaction': { transaction: OTHER.transaction },
}

/** Stands before a real facilitator and does to its answers what networks and broken facilitators do. */
export async function startScriptedFacilitator(real: string): Promise<ScriptedFacilitator> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      calls.push(path)
      perform(path, Buffer.concat(chunks).toString(), response).catch(() => response.destroy())
    })
  })
  const pass = async (path: string, body: string): Promise<Record<string, unknown>> => {
    const init = body === '' ? {} : { method: 'POST', body }
    return answer.parse(await (await fetch(`${real}${path}`, init)).json())
  }
  const perform = async (path: string, body: string, response: ServerResponse): Promise<void> => {
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value))
    }
    const { script } = self
    if (path === '/supported') return send(200, await pass(path, body))
    if (path === '/verify') {
      if (script === 'invalid') return send(200, { isValid: false, invalidReason: 'invalid_exact_evm_signature' })
      return send(200, await pass(path, body))
    }
    if (script === 'hang') return
    if (script === 'reset') return void response.destroy()
    if (script === 'error') return send(500, { error: 'it broke' })
    const claim = { success: true, ...OTHER, payer: payerIn(body), network: 'eip155:84532' }
    if (script === 'lie') return send(200, claim)
    const no = { success: false, errorReason: 'invalid_exact_evm_insufficient_balance', transaction: '' }
    if (script === 'refuse') return send(200, { ...no, network: 'eip155:84532' })
    const truth = await pass(path, body)
    if (script === 'hang-after') return
    if (script === 'reset-after') return void response.destroy()
    if (script === 'error-after') return send(500, { error: 'it broke after the broadcast' })
    send(200, { ...truth, ...TOLD[script] })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const self: ScriptedFacilitator = {
    url: `http://127.0.0.1:${port}`,
    script: 'ok',
    calls,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return self
}

const signed = z.object({
  paymentPayload: z.object({ payload: z.object({ authorization: z.object({ from: z.string() }) }) }),
})
const payerIn = (body: string): string => signed.parse(JSON.parse(body)).paymentPayload.payload.authorization.from
