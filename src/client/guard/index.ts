// `tollbook/guard`: asks a directory before a program pays. Runs in browsers and in Node, and brings no library along.

export type { FindingCode, Severity } from '../../domain/guard/finding.ts'
export {
  createGuard,
  type Decision,
  type Guard,
  type GuardOptions,
  type GuardPolicy,
} from './guard.ts'
export type { GuardOffer } from './offer.ts'
export type { GuardQuestion } from './question.ts'
export type { ReportDetails, Reported } from './report.ts'
export { type GuardFinding, PaymentStopped, type Verdict } from './verdict.ts'
