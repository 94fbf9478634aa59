/** What JSON-RPC calls a text that is no JSON, and JSON that is no message. */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export type RpcFault = typeof PARSE_ERROR | typeof INVALID_REQUEST

/** What is answered to whatever is no message of JSON-RPC. It has no id that could be named. */
export const notAMessage = (code: RpcFault, message: string) => ({
  ...{ jsonrpc: '2.0', id: null, error: { code, message } },
})
