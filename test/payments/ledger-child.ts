// The program under test: it takes one post and dies by its own kill -9 at the step it is told.
import { z } from 'zod'
import { aRequest } from '../../src/acts/testing/buyer.ts'
import { fakeCredential, fakeHeader } from '../../src/acts/testing/fake-rail.ts'
import { answered, Clock, createPostHarness } from '../../src/acts/testing/post-harness.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { fileChain } from './file-chain.ts'
import { STEPS, type Step } from './steps.ts'

const orders = z
  .strictObject({
    dataDir: z.string(),
    databaseUrl: z.string().optional(),
    chain: z.string(),
    dieAt: z.enum(STEPS),
    host: z.string(),
    body: z.record(z.string(), z.string()),
    credential: fakeCredential,
  })
  .parse(JSON.parse(process.argv[2] ?? ''))

const reach = (step: Step): void => {
  if (step === orders.dieAt) process.kill(process.pid, 'SIGKILL')
}

const store = await openStore({ dataDir: orders.dataDir, databaseUrl: orders.databaseUrl })
let writes = 0
/** The first write is the intent, the second the publication. */
const watched: Store = {
  ...store,
  write: async (work) => {
    const isIntent = ++writes === 1
    reach(isIntent ? 'before the intent' : 'before publication')
    const result = await store.write(work)
    reach(isIntent ? 'after the intent' : 'after publication')
    return result
  },
}
const { threads } = createPostHarness(watched, new Clock(), {
  chain: fileChain(orders.chain),
  onSettle: async (moment) => reach(moment === 'before' ? 'before settlement' : 'after settlement'),
})
await answered(threads, aRequest(orders.host, orders.body, fakeHeader(orders.credential)))
throw new Error(`${orders.dieAt} was never reached`)
