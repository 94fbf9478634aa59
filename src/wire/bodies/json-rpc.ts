/** What JSON-RPC calls a text that is no JSON, and JSON that is no message. */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
/** Whatever a server has no other number for. */
export const SERVER_ERROR = -32_000
export type RpcFault = typeof PARSE_ERROR | typeof INVALID_REQUEST | typeof SERVER_ERROR

/** What is answered to whatever is no message of JSON-RPC. It has no id that could be named. */
export const notAMessage = (code: RpcFault, message: string) => ({
  ...{ jsonrpc: '2.0', id: null, error: { code, message } },
})
