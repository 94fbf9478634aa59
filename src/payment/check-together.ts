import { setImmediate } from 'node:timers/promises'
import { walletKey } from '../domain/wallet.ts'
import { addressOfKey } from '../wire/eip191.ts'
import { checkSignature, keyQuestion, type SignatureFinding } from '../wire/signature.ts'
import { HAS_THREADS, recoverTogether } from './recovery-threads.ts'

/** Who is said to have signed what. */
export interface Signed {
  readonly wallet: string
  readonly message: string
  readonly signature: string
}

/** Fewer are checked here, in a millisecond of the one thread, and no other thread is started for them. */
const FEWEST = 8

/** What many signatures are worth without asking anybody, in their order. */
export async function checkTogether(signed: readonly Signed[]): Promise<SignatureFinding[]> {
  const shown = signed.length < FEWEST || !HAS_THREADS ? new Set<Signed>() : await shownElsewhere(signed)
  const findings: SignatureFinding[] = []
  for (const one of signed) {
    if (shown.has(one)) {
      findings.push('valid')
      continue
    }
    // A burst of what costs much of the one thread holds up neither those who read nor a transaction under way.
    if (signed.length > 1) await setImmediate()
    findings.push(checkSignature(one.wallet, one.message, one.signature))
  }
  return findings
}

/** Those that other threads show to be an ordinary wallet's. What else the others are is not known yet. */
async function shownElsewhere(signed: readonly Signed[]): Promise<ReadonlySet<Signed>> {
  const questions = signed.flatMap((one) => {
    const question = keyQuestion(one.message, one.signature)
    return question === undefined ? [] : [{ ...question, one }]
  })
  const keys = await recoverTogether(questions)
  return new Set(
    [...keys].filter(([{ one }, key]) => addressOfKey(key) === walletKey(one.wallet)).map(([{ one }]) => one),
  )
}
