import { Problem } from '../domain/problem.ts'
import type { Signatures } from '../payment/signatures.ts'

/** Checks a signature; whoever signed something else is told the lines that this directory expects. */
export async function checkLines(
  signatures: Signatures,
  wallet: string,
  message: string,
  signature: string,
): Promise<void> {
  try {
    await signatures.check(wallet, message, signature)
  } catch (error) {
    throw error instanceof Problem && error.status === 401 ? error.saying({ message }) : error
  }
}
