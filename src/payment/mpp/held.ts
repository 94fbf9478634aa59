import { z } from 'zod'
import type { PaidRequest } from '../rail.ts'

/** What settling needs: the credential as it came, and the request that it was checked for. */
const form = z.strictObject({ authorization: z.string(), host: z.string(), body: z.string() })

export type Held = z.infer<typeof form>

export const hold = (authorization: string, { host, bodyDigest }: PaidRequest): string =>
  JSON.stringify({ authorization, host, body: bodyDigest } satisfies Held)

export function held(raw: string): Held | undefined {
  try {
    return form.parse(JSON.parse(raw))
  } catch {
    return undefined
  }
}
