import { createEgress, type EgressAnswer, type EgressOptions, type EgressRequest, parseConnectTo } from '../egress.ts'

export const USER_AGENT = 'tollbook-test/1 (+https://directory.example/probing)'

/** A door through which every name under .example leads to a port of this machine. */
export const testDoor = (port: number, more: Partial<EgressOptions> = {}) =>
  createEgress({ connectTo: parseConnectTo(`*.example::127.0.0.1:${port}`), userAgent: USER_AGENT, ...more })

export const GET: EgressRequest = {
  method: 'GET',
  url: 'http://api.example/v1/x?q=1',
  deadlineMs: 5000,
  maxBodyBytes: 65_536,
}
export const SHORT: EgressRequest = { ...GET, deadlineMs: 300 }

export const textOf = (answer: EgressAnswer): string => (answer.ok ? Buffer.from(answer.body).toString() : answer.error)
