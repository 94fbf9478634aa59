import { z } from 'zod'
import { count, href, time } from './values.ts'

/** The evidence log at a glance. */
export const evidenceLog = z.object({
  origin: z.string().describe('Name of the log, the first line of its checkpoints'),
  vkey: z.string().describe('The verifier key of the log, as signed notes know them'),
  size: count.describe('Entries'),
  root: z.string().describe('Of the tree, in Base 64'),
  grown_at: time.nullable().describe('When it last grew'),
  witnesses: z
    .array(
      z.object({
        witness: z.string().describe('Name of the witness'),
        size: count.describe('Entries that it has cosigned'),
        at: time,
      }),
    )
    .describe('Newest cosignature of each'),
  history_left: count.describe('Hosts whose evidence from before there was a log is still to be logged'),
  fault: z.string().nullable().describe('Why nothing is signed any more'),
  proves: z.array(z.string()).describe('What the log proves, in words'),
  does_not_prove: z.array(z.string()).describe('What it does not'),
  commands: z.array(z.string()).describe('How to verify it'),
  checkpoint_href: href,
  verifier_href: href,
})
