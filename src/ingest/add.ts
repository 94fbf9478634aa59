import { Problem } from '../domain/problem.ts'
import { parseAddress } from '../domain/route.ts'
import { ask } from './ask.ts'
import type { Found } from './found.ts'
import type { Ingesting } from './ingester.ts'
import { readSeller } from './seller.ts'
import { sourceOf } from './source.ts'
import { saveFound } from './stored-sweeps.ts'
import { SWEEP_LIMITS } from './sweep-limits.ts'

/** What one kind of document of a seller gave. */
export interface AddedDocument {
  readonly source: string
  /** Where it is; `null` when the seller has none. */
  readonly url: string | null
  /** What each address answered. */
  readonly answers: readonly { readonly url: string; readonly answer: string }[]
  readonly found: Found
}

const OWN_DOCUMENTS = ['openapi', 'well-known'] as const

/** Reads the documents of one seller by any address of it, and lists the routes they name. */
export async function addSeller(ingesting: Ingesting, url: string): Promise<AddedDocument[]> {
  const written = /^https?:\/\//i.test(url) ? url : `https://${url}`
  const reading = parseAddress(written, ingesting.allow)
  if (!reading.ok) {
    throw new Problem(
      'bad-address',
      400,
      'Bad address',
      `${url} cannot be added: ${reading.reason}`,
      'name a public http or https address of the seller',
    )
  }
  const { scheme, host } = reading.address
  const added: AddedDocument[] = []
  for (const kind of OWN_DOCUMENTS) {
    const source = sourceOf({ name: kind, kind, address: '' })
    if (source.shape !== 'sellers') continue
    const { url: at, answers, found } = await readSeller(source, { scheme, host }, askingOnce(ingesting))
    await saveFound(ingesting.store, { source: kind, atUs: ingesting.now(), ...found })
    added.push({ source: kind, url: at, answers, found })
  }
  return added
}

const askingOnce = (ingesting: Ingesting) => ({
  allow: ingesting.allow,
  pause: () => ingesting.sleep(SWEEP_LIMITS.sellerPauseMs),
  known: async () => null,
  ask: (url: string) =>
    ask(
      {
        url,
        version: null,
        maxBytes: SWEEP_LIMITS.documentBytes,
        deadlineMs: SWEEP_LIMITS.documentMs,
        patience: SWEEP_LIMITS.sellerPatience,
        untilUs: ingesting.now() + SWEEP_LIMITS.documentMs * 1000,
      },
      ingesting,
    ),
})
