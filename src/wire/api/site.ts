import { z } from 'zod'

export const alive = z.object({ status: z.literal('ok').describe('The program answers') })

export const ready = z.looseObject({ status: z.enum(['ready']).describe('It can read its store') })

/** The endpoint schema of shields.io. */
export const badge = z.object({
  schemaVersion: z.literal(1).describe('Of the endpoint schema of shields.io'),
  label: z.string().describe('The left half'),
  message: z.string().describe('The right half'),
  color: z.string().describe('Of the right half'),
  labelColor: z.string().describe('Of the left half'),
  cacheSeconds: z.int().describe('How long it may be kept'),
})
