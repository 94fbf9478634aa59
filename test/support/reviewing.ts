import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type RecheckOptions, recheckDue } from '../../src/acts/reviews/recheck-reviews.ts'
import type { WriteGate } from '../../src/acts/reviews/reviews.ts'
import { createReviews } from '../../src/acts/reviews/submit-review.ts'
import type { Proof, ProofRequest, Proofs, Transfer } from '../../src/payment/proof/proof.ts'
import { createSignatures } from '../../src/payment/signatures.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import type { Store } from '../../src/store/store.ts'
import { readReviewPage, reviewPageOf } from '../../src/views/review-page.ts'
import { formatSignedAt } from '../../src/wire/signed-at.ts'
import { type ReviewLines, reviewMessage } from '../../src/wire/signed-lines.ts'
import { aListing, aRoute, NOON_US } from './samples.ts'

export const HOST = 'api.seller.example'
export const PAYEE = '0x00000000000000000000000000000000000000Aa'
/** What the directory is called in signed lines. */
export const HERE = 'tollbook.example'
export const OPEN: WriteGate = { signing: () => undefined, signed: () => undefined, unsigned: () => undefined }

export const someone = (): LocalAccount => privateKeyToAccount(generatePrivateKey())

/** Answers as it was told to: what a chain says is the business of the proofs' own tests. */
export class ToldProofs implements Proofs {
  readonly asked: ProofRequest[] = []
  readonly #answers = new Map<string, Proof>()

  tell(transaction: string, proof: Proof): void {
    this.#answers.set(transaction, proof)
  }

  async find(request: ProofRequest): Promise<Proof> {
    this.asked.push(request)
    return this.#answers.get(request.transaction) ?? { kind: 'none', reason: 'there is no such transaction' }
  }
}

export const found = (
  transaction: string,
  payer: string,
  logIndexes: readonly number[] = [0],
  isFinal = true,
): Proof => {
  const [first, ...rest] = logIndexes.map(
    (logIndex): Transfer => ({
      asset: '0xdollar',
      amount: '10000',
      payer,
      payee: PAYEE,
      logIndex,
      atUs: NOON_US - 1_000_000,
      isFinal,
    }),
  )
  if (first === undefined) throw new Error('a payment has a transfer')
  return { kind: 'found', network: 'eip155:8453', transaction, transfers: [first, ...rest] }
}

/** A directory with one seller, and reviewers who sign. */
export async function openReviewing(store: Store, founders: readonly string[] = [], directory = () => HERE) {
  const proofs = new ToldProofs()
  const clock = { us: NOON_US }
  const nowUs = (): number => clock.us
  let drawn = 0
  const reviews = createReviews({
    store,
    proofs,
    signatures: createSignatures({ rpcUrls: new Map() }),
    founders,
    allow: [],
    nowUs,
    random: () => `random-${drawn++}`,
    directory,
    paymentWaitMs: 200,
  })
  await saveListings(store, {
    listings: [aListing(), aListing({ path: '/v1/users/:id' }), aListing({ path: '/v1/users/me' })],
    payees: [
      {
        ...aRoute(),
        network: 'base',
        payee: PAYEE,
        asset: null,
        origin: 'listing',
        firstUs: NOON_US,
        lastUs: NOON_US,
      },
    ],
  })
  const lines = (more: Partial<ReviewLines> = {}): ReviewLines => ({
    method: 'GET',
    url: `https://${HOST}/v1/weather`,
    rail: 'x402',
    rating: 4,
    text: 'Fast and as described.',
    payment: null,
    signedAt: formatSignedAt(clock.us),
    ...more,
  })
  const signedBy = async (account: LocalAccount, more: Partial<ReviewLines> = {}) => {
    const { signedAt, payment, directory: named, ...fields } = lines(more)
    const said = { ...fields, payment, directory: named, signedAt }
    const signature = await account.signMessage({ message: reviewMessage(said) })
    return {
      ...fields,
      ...(payment && { payment }),
      ...(named != null && { directory: named }),
      wallet: account.address,
      signature,
      signed_at: signedAt,
    }
  }
  const unsigned = (more: Partial<ReviewLines> = {}) => {
    const { signedAt: _, payment: __, ...fields } = lines(more)
    return fields
  }
  const recheck: RecheckOptions = {
    store,
    proofs,
    nowUs,
    sleep: async () => undefined,
    onTrouble: (error) => {
      throw error
    },
  }
  return {
    reviews: { ...reviews, find: (id: string) => readReviewPage(store, id) },
    proofs,
    clock,
    unsigned,
    signedBy,
    /** What is answered, as its page shows it. */
    submit: async (body: unknown) => {
      const { review, events, isNew } = await reviews.submit(body, OPEN)
      return { ...reviewPageOf(review, events), review, isNew }
    },
    /** Looks at everything that is due within the next two hours. */
    recheck: (): Promise<number> => {
      clock.us += 7_200_000_000
      return recheckDue(recheck)
    },
  }
}
