import { parseArgs } from 'node:util'
import { PAYMENT_STATES } from '../domain/money/payment.ts'
import { settlementOf } from '../domain/money/settlement.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { listPayments, type PaymentTotal, paymentTotals, type StoredPayment } from '../store/posts/payments.ts'
import { PAYMENTS } from './catalogue/check.ts'
import { type Command, type CommandContext, expected, usageProblem } from './command.ts'
import { storyLines } from './explain/payment-story.ts'
import { plainLine } from './terminal/plain.ts'
import { table } from './terminal/table.ts'

async function run(argv: string[], { openStore, out }: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: PAYMENTS.options })
  const [post] = positionals
  const state = PAYMENT_STATES.find((known) => known === values.state)
  if (values.state !== undefined && state === undefined)
    throw expected(PAYMENTS, '--state', `one of ${PAYMENT_STATES.join(', ')}`)
  if (!/^[1-9]\d{0,5}$/.test(values.limit)) throw expected(PAYMENTS, '--limit', 'a whole number from 1 to 999999')
  if (positionals.length > 1) throw usageProblem(PAYMENTS, 'one post at most is told of')
  const store = await openStore('look')
  try {
    if (post !== undefined) {
      for (const line of await storyLines(store, post)) out.write(`${plainLine(line)}\n`)
      return 0
    }
    const payments = await listPayments(store, { state, limit: Number(values.limit) })
    const totals = (await paymentTotals(store)).filter((total) => state === undefined || total.state === state)
    out.write(payments.length === 0 ? 'No payments.\n' : table(HEAD, payments.map(rowOf)))
    if (totals.length > 0) out.write(`\n${table(TOTALS_HEAD, totals.map(totalRowOf))}`)
    return 0
  } finally {
    await store.close()
  }
}

const HEAD = [
  'changed',
  'state',
  'rail',
  'host',
  'post',
  'network',
  'amount',
  'payer',
  'transaction',
  'settlement',
  'why',
]

const rowOf = (payment: Omit<StoredPayment, 'raw'>): string[] => [
  formatTimestamp(payment.updatedUs),
  payment.state,
  payment.rail,
  payment.host,
  payment.postId,
  payment.network,
  payment.amount,
  payment.payer,
  payment.transaction ?? 'none yet',
  payment.state === 'settled' ? settlementOf(payment.rail, payment.logIndex) : '',
  payment.reason ?? '',
]

const TOTALS_HEAD = ['state', 'rail', 'network', 'asset', 'payments', 'base units']

const totalRowOf = (total: PaymentTotal): (string | number)[] => [
  total.state,
  total.rail,
  total.network,
  total.asset,
  total.payments,
  total.amount,
]

export const paymentsCommand: Command = { run }
