import { z } from 'zod'

export const alive = z.object({ status: z.literal('ok') })

export const ready = z.looseObject({ status: z.literal('ready') })

/** The endpoint schema of shields.io. */
export const badge = z.object({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.string(),
  color: z.string(),
  labelColor: z.string(),
  cacheSeconds: z.int(),
})
