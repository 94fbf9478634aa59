import { z } from 'zod'
import { count, href, time } from './values.ts'

/** The evidence log at a glance. */
export const evidenceLog = z.object({
  origin: z.string(),
  vkey: z.string().describe('The verifier key of the log, as signed notes know them'),
  size: count.describe('Entries'),
  root: z.string().describe('Of the tree, in Base 64'),
  grown_at: time.nullable().describe('When it last grew'),
  witnesses: z.array(z.object({ witness: z.string(), size: count, at: time })).describe('Newest cosignature of each'),
  history_left: count.describe('Hosts whose evidence from before there was a log is still to be logged'),
  fault: z.string().nullable().describe('Why nothing is signed any more'),
  proves: z.array(z.string()),
  does_not_prove: z.array(z.string()),
  commands: z.array(z.string()).describe('How to verify it'),
  checkpoint_href: href,
  verifier_href: href,
})
