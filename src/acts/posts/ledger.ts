import type { Rail } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { PaymentRail, UnsetRail } from '../../payment/rail.ts'
import type { Store } from '../../store/store.ts'

/** What acts on payments say to the operator; a pino logger is one. Credentials are never among the fields. */
export interface PaymentLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** What every act on payments works with. */
export interface Ledger {
  readonly store: Store
  readonly rails: Readonly<Record<Rail, PaymentRail | UnsetRail>>
  readonly nowUs: () => TimestampUs
  readonly log: PaymentLog
}
