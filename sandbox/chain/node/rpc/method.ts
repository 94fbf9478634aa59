import type { z } from 'zod'
import { INVALID_PARAMS, RpcError, UNKNOWN_METHOD } from '../rpc-error.ts'

/** Answers a question from its parameters as they were sent; throws an `RpcError` to say no. */
export type Method = (params: readonly unknown[]) => unknown
export type Methods = Readonly<Record<string, Method>>

/** A method behind its parameters' schema. */
export const method =
  <Params extends z.ZodType<readonly unknown[]>>(
    params: Params,
    answer: (...given: z.output<Params>) => unknown,
  ): Method =>
  (given) => {
    const parsed = params.safeParse(given)
    if (parsed.success) return answer(...parsed.data)
    const [issue] = parsed.error.issues
    throw new RpcError(INVALID_PARAMS, `invalid params: ${issue?.path.join('.') || 'all'}: ${issue?.message}`)
  }

/** The answer to one question; throws an `RpcError` for what nobody here knows. */
export async function ask(methods: Methods, name: string, params: readonly unknown[]): Promise<unknown> {
  const known = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (known === undefined) throw new RpcError(UNKNOWN_METHOD, `the method ${name} does not exist`)
  return known(params)
}
