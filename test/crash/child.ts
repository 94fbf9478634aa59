// The program under test: it imports and appends at the same time on one store, until it is killed.
import { openStore } from '../../src/store/open.ts'
import { appending } from './appending.ts'
import { importing } from './importing.ts'
import { ordersOf } from './orders.ts'

const orders = ordersOf(process.argv)
const store = await openStore({ dataDir: orders.dataDir, databaseUrl: orders.databaseUrl })
await Promise.all([appending(store, orders), importing(store, orders)])
