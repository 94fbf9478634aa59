import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { type FakeChain, type FakeTransfer, transferFrom } from '../../src/acts/testing/fake-chain.ts'

const transfer = z.strictObject({
  payer: z.string(),
  payee: z.string(),
  amount: z.string(),
  nonce: z.string(),
  by: z.enum(['facilitator', 'third party']),
  atUs: z.int(),
  transaction: z.string(),
  logIndex: z.int(),
})

/** The fake chain in a file, so that it outlives the programs that use it. */
export function fileChain(path: string): FakeChain {
  const transfers = (): FakeTransfer[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => transfer.parse(JSON.parse(line)))
      : []
  const find: FakeChain['find'] = ({ payer, nonce }) =>
    transfers().find((one) => one.payer === payer && one.nonce === nonce)
  return {
    find,
    transfers,
    broadcast: (authorisation, by, nowUs) => {
      if (find(authorisation) || nowUs >= authorisation.expiresUs) return undefined
      const moved = transferFrom(authorisation, by, nowUs)
      appendFileSync(path, `${JSON.stringify(moved)}\n`)
      return moved
    },
  }
}
