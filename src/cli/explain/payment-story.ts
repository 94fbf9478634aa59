import { Problem } from '../../domain/problem.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { type PaymentStory, readStories, type StoryStep } from '../../store/posts/payment-story.ts'
import type { Store } from '../../store/store.ts'

/** The lines of `tollbook payments <post>`. Rejects with a `Problem` when nobody ever asked to pay for such a post. */
export async function storyLines(store: Store, postId: string): Promise<string[]> {
  const stories = await readStories(store.read, postId)
  if (stories.length > 0) return stories.flatMap(storyOf)
  throw new Problem(
    'no-payment',
    404,
    'No such payment',
    `there is no payment for a post ${postId}`,
    'tollbook payments lists them, with the ids of their posts',
  )
}

const ACT_WORDS: Readonly<Record<string, string>> = {
  settle: 'handed over to be settled',
  look: 'looked for on the chain',
  confirm: 'looked for again, since no node had seen it',
  watch: 'looked at again, since its block was not final',
}

/** `2026-…Z  looked for on the chain: the node does not answer (12 times until …)` */
export function stepLine({ act, said, firstUs, lastUs, times }: StoryStep): string {
  const again = times === 1 ? '' : ` (${times} times until ${formatTimestamp(lastUs)})`
  return `${formatTimestamp(firstUs)}  ${ACT_WORDS[act] ?? act}: ${said}${again}`
}

function storyOf({ payment, steps }: PaymentStory): string[] {
  const { postId, host, rail, network, amount, asset, payer, payee, createdUs, expiresUs } = payment
  return [
    `Post ${postId} to ${host}, paid through ${rail} on ${network}: ${payment.state}`,
    `${amount} base units of ${asset} from ${payer} to ${payee}`,
    `${formatTimestamp(createdUs)}  stored, before anybody was asked to move money; the authorisation ends ${formatTimestamp(expiresUs)}`,
    ...steps.map(stepLine),
    ...endOf(payment),
  ]
}

function endOf({ state, updatedUs, transaction, reason, dueUs, attempts }: PaymentStory['payment']): string[] {
  const why = reason === null ? '' : `: ${reason}`
  const next = dueUs === null ? [] : [`It is looked at again at ${formatTimestamp(dueUs)}, after ${attempts} attempts.`]
  switch (state) {
    case 'settled':
      return [`${formatTimestamp(updatedUs)}  settled in transaction ${transaction}, and published`, ...next]
    case 'expired':
      return [`${formatTimestamp(updatedUs)}  ended without a payment${why}`]
    case 'refused':
      return [`${formatTimestamp(updatedUs)}  refused${why}; nothing was charged as far as anybody knows`, ...next]
    default:
      return [`Undecided${why}`, ...next]
  }
}
