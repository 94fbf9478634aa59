import type { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'

export const notSigned = (wallet: string): Problem =>
  problem('invalid-signature', `The signature is not one of ${wallet} over these lines.`)
