export type { Signatures } from '../payment/signatures.ts'
