import { walletKey } from '../../domain/wallet.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { newSellers, reviewedHosts, type SellerKey } from '../reviews/exclude.ts'
import { checkForPayees } from '../reviews/review-checks.ts'
import { logOwnership, logPayees } from './logged-sellers.ts'
import { type OwnershipInput, upsertOwnership } from './ownership.ts'
import { type PayeeInput, upsertPayees } from './payees.ts'
import { withinPayees } from './room.ts'

/**
 * Who is paid on routes, and who has proved to own hosts. Answers those that their host was not known to pay: their
 * reviews of it are no agent's (`excludeSellers`).
 */
export async function saveSellers(
  transaction: HostTransaction,
  payeeInputs: readonly PayeeInput[],
  ownership: readonly OwnershipInput[] = [],
): Promise<SellerKey[]> {
  const { writer, dialect } = transaction
  const payees = await withinPayees(transaction, transaction.place(payeeInputs))
  const claims = ownership.map((claim) => ({ ...claim, hostId: transaction.hostIdOf(claim.host) }))
  const keys = [
    ...payees.map(({ at, payee }) => ({ hostId: at.hostId, key: walletKey(payee) })),
    ...claims.map(({ hostId, signer }) => ({ hostId, key: walletKey(signer) })),
  ]
  const reviewed = await reviewedHosts(writer, dialect, new Set(keys.map(({ hostId }) => hostId)))
  const isReviewed = ({ hostId }: { readonly hostId: number }): boolean => reviewed.has(hostId)
  const sellers = await newSellers(writer, dialect, keys.filter(isReviewed))
  await checkForPayees(
    writer,
    dialect,
    payees.filter(({ at }) => isReviewed(at)),
  )
  await upsertPayees(transaction, payees)
  await upsertOwnership(writer, dialect, claims)
  await logPayees(
    transaction.log,
    payees.filter(({ at }) => !transaction.isCreated(at)),
  )
  await logOwnership(
    transaction.log,
    claims.map(({ hostId }) => hostId),
  )
  return sellers
}
