// The program under test: a seller claims its host and says one thing after the other, until the program is killed.
import { privateKeyToAccount } from 'viem/accounts'
import { openStore } from '../../src/store/open.ts'
import { NOON_US } from '../support/samples.ts'
import { openSelling } from '../support/selling.ts'
import { ordersOf, sayKept } from './orders.ts'

const orders = ordersOf(process.argv)
const store = await openStore({ dataDir: orders.dataDir, databaseUrl: orders.databaseUrl })
const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)
const { challenge, claim, say, clock } = await openSelling(store)
await challenge([account.address], 3)
for (let unit = orders.appendFrom; ; unit++) {
  clock.us = NOON_US + unit * 1_000_000
  await claim(account)
  await say(account, { text: `unit ${unit}` })
  sayKept(unit)
}
