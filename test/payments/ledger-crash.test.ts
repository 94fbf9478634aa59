import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { lookAtAll, reconcileDue } from '../../src/acts/posts/reconcile.ts'
import { aCredential, aRequest, newWallet, signedBody } from '../../src/acts/testing/buyer.ts'
import { answered, Clock, createPostHarness, listHosts } from '../../src/acts/testing/post-harness.ts'
import { openStore } from '../../src/store/open.ts'
import { onEachEngine, temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, ended, joined } from '../support/program.ts'
import { fileChain } from './file-chain.ts'
import { examine, NO_FINDINGS } from './invariants.ts'
import { STEPS } from './steps.ts'

const HOST = 'api.seller.example'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

onEachEngine('kill -9 of a program that takes a paid post', (engine) => {
  it.each(STEPS.flatMap((step) => [[step, 'the buyer asks again'] as const, [step, 'nobody asks again'] as const]))(
    '%s loses nothing and charges once, when %s',
    async (dieAt, next) => {
      const where = await engine.empty()
      const folder = temporaryFolder()
      folders.push(folder)
      const store = await openStore(where)
      await listHosts(store, [HOST])
      const clock = new Clock()
      const wallet = newWallet()
      const body = await signedBody(wallet, HOST, 'Is it still there?', clock.us)
      const credential = aCredential(wallet.address, clock.us)
      const file = join(folder, 'chain.ndjson')
      const orders = JSON.stringify({ ...where, chain: file, dieAt, host: HOST, body, credential })
      const child = spawn(process.execPath, [joined('ledger-child'), orders], { env: cleanEnvironment({}) })
      const killed = new Promise((done) => child.once('exit', (_, signal) => done(signal)))
      expect((await ended(child)).err).toBe('')
      expect(await killed).toBe('SIGKILL')

      const chain = fileChain(file)
      const again = createPostHarness(store, clock, { chain })
      const wasBroadcast = chain.transfers().length === 1
      expect(wasBroadcast).toBe(STEPS.indexOf(dieAt) >= STEPS.indexOf('after settlement'))
      const shown = async () => (await store.read.selectFrom('posts').select('post_id').execute()).length
      expect(await shown()).toBe(dieAt === 'after publication' ? 1 : 0)

      // A new program looks at once at what was left: what was stored is settled, once, and published by that alone.
      await lookAtAll(again)
      expect(await shown()).toBe(dieAt === 'before the intent' ? 0 : 1)
      if (next === 'the buyer asks again') await answered(again.threads, aRequest(HOST, body, credential))
      for (let round = 0; round < 4; round++) {
        clock.passSeconds(31)
        await reconcileDue(again)
      }
      const wasStored = dieAt !== 'before the intent' || next === 'the buyer asks again'
      expect(await shown()).toBe(wasStored ? 1 : 0)
      expect(chain.transfers()).toHaveLength(wasStored ? 1 : 0)
      expect(await examine({ store, chain }, [{ credentials: [credential], lies: [] }])).toEqual(NO_FINDINGS)
      if (wasStored) {
        expect(await answered(again.threads, aRequest(HOST, body, credential))).toMatchObject({
          kind: 'published',
          isNew: false,
          post: { text: 'Is it still there?', payment: { transaction: chain.transfers()[0]?.transaction } },
        })
      }
      await store.close()
    },
  )
})
