import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sweepsOn } from '../../src/ingest/sweep/stored-sweeps.ts'
import { audit } from '../../src/log/audit/audit.ts'
import { UnreadableError } from '../../src/log/audit/reading.ts'
import { BrokenLogError } from '../../src/log/audit/tree-reader.ts'
import { originOf, seedIn } from '../../src/log/key.ts'
import { countPacked, readPlaces } from '../../src/log/stored/bundles.ts'
import { readTreeHead } from '../../src/log/stored/tree.ts'
import { type NoteSigner, newSigner } from '../../src/log/tlog/index.ts'
import { verify, Wrong } from '../../src/log/verify.mjs'
import { runWitness } from '../../src/log/witness/run-witness.ts'
import { Witnesses } from '../../src/log/witnesses.ts'
import { openStore } from '../../src/store/open.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import {
  aChallenge,
  aClaim,
  aListing,
  anOffer,
  aPost,
  aProbe,
  aReview,
  aStatement,
  evidence,
  NOON_US,
} from '../../test/support/samples.ts'
import { createDrill, type DrillContext, info, kept, none } from '../drill.ts'
import { type LyingProxy, startLyingProxy } from '../rigs/lying-proxy.ts'
import { QUIET, startServe } from '../rigs/serve.ts'
import { forgedCheckpoint, type SplitLog, splitLog } from '../rigs/split-log.ts'
import { type Tampering, tamper } from '../rigs/tamper.ts'
import { spoilStore } from '../rigs/tamper-store.ts'

const HOSTS = 4
const PROBES = 12
/** Saved one by one, which makes an entry of each: with them the log has a bundle that is full, and kept packed. */
const ALONE = 252
/** Of ten changes, so many are in the store, one is a split view, one a checkpoint of the log's own key; others are served. */
const IN_THE_STORE = 5
const MOST_EXAMPLES = 20
/** Pages of a program show the writes of another one after so long. */
const NOTICED_MS = 700

export const tampering = createDrill({
  about:
    'what is stored and served of the evidence is changed at random: an audit, a verifier or a witness must say so',
  mostS: 7200,
  full: { changes: 2000 },
  small: { changes: 16 },
  run: async (context) => {
    const dataDir = context.folder()
    const store = await openStore({ dataDir, databaseUrl: undefined })
    await fill(store)
    const signer = await newSigner(seedIn(dataDir), originOf(QUIET.BASE_URL))
    const witness = await runWitness({
      ...{ name: 'witness.example', folder: join(context.folder(), 'witness'), vkeys: [signer.vkey] },
      ...{ host: '127.0.0.1', port: 0, nowS: () => Math.floor(Date.now() / 1000), onTrouble: () => undefined },
    })
    const place = { vkey: witness.vkey, address: `http://127.0.0.1:${witness.port}` }
    const served = await startServe({ DATA_DIR: dataDir, LOG_WITNESSES: `${place.vkey} ${place.address}` })
    const proxy = await startLyingProxy(served.address)
    try {
      const readers = new Readers(proxy, context.folder(), [signer.vkey, place.vkey])
      return await changing(context, store, signer, proxy, readers, new Witnesses([place], { fetch, mostMs: 10_000 }))
    } finally {
      await proxy.stop()
      await served.stop()
      await witness.close()
      await store.close()
    }
  },
})

/** Who looks at what is served: each says what is wrong with it, or nothing. */
class Readers {
  #audits = 0

  constructor(
    readonly proxy: LyingProxy,
    readonly folder: string,
    readonly vkeys: readonly string[],
  ) {}

  /** Of somebody who has seen the log before, where `into` is named. */
  async audit(into = `audit ${this.#audits++}`): Promise<string> {
    const options = { baseUrl: this.proxy.address, fetch, sleep: async () => undefined }
    try {
      const { differences, size } = await audit({ ...options, folder: join(this.folder, into) })
      const [first] = differences
      return first === undefined ? (size === 0 ? 'the log is empty' : '') : `${first.host}: ${first.what}`
    } catch (error) {
      if (error instanceof BrokenLogError || error instanceof UnreadableError) return error.message
      throw error
    }
  }

  /** An audit once everything must be noticed. */
  async later(): Promise<string> {
    await wait(NOTICED_MS)
    return this.audit()
  }

  /** The one file, with the keys of the log and its witness. */
  async verifier(vkeys: readonly string[] = this.vkeys): Promise<string> {
    try {
      await verify(this.proxy.address, { vkeys })
      return ''
    } catch (error) {
      // What is not served at all is told apart from what is wrong, and is noticed as well.
      if (error instanceof Wrong || (error instanceof Error && / answers \d+(?:: |$)/.test(error.message)))
        return error.message
      throw error
    }
  }
}

async function changing(
  { random, sizes, progress }: DrillContext<'changes'>,
  store: Store,
  signer: NoteSigner,
  proxy: LyingProxy,
  readers: Readers,
  witnesses: Witnesses,
) {
  const isPacked = async (): Promise<string> => ((await countPacked(store.read)) > 0 ? '' : 'no bundle is packed')
  const before = await settled(
    async () => (await isPacked()) || (await readers.audit('memory')) || (await readers.verifier()),
  )
  const { size } = await readTreeHead(store.read)
  const entries = await readPlaces(store.read, 0, size)
  const found = new Findings()
  const show = async (change: Tampering): Promise<void> => {
    proxy.lie = change.answer
    const isOfLog = !change.kind.startsWith('pages')
    const [byAudit, byVerifier] = [await readers.audit(), isOfLog ? await readers.verifier() : '']
    proxy.lie = null
    if (change.what !== '') found.add(change, { audit: byAudit, verifier: byVerifier })
  }
  const split = async (change: SplitLog): Promise<void> => {
    proxy.lie = change.answer
    const [outcome] = await witnesses.cosign(change.note, change.log.readTile)
    const byWitness = outcome?.kind === 'failed' ? outcome.reason : ''
    const findings = { audit: await readers.audit('memory'), verifier: await readers.verifier(), witness: byWitness }
    if ((await readers.verifier([signer.vkey])) === '') found.unseenAlone += 1
    proxy.lie = null
    found.add(change, findings)
  }
  for (let n = 0; found.made < sizes.changes && n < 3 * sizes.changes; n += 1) {
    progress('changes', found.made, sizes.changes)
    const draw = random.between(0, 9)
    if (draw === 9) await split(await splitLog(entries, signer, random))
    else if (draw === 8) await show(await forgedCheckpoint(entries, signer, random))
    else if (draw >= IN_THE_STORE) await show(tamper(random))
    else {
      const change = await spoilStore(store, random)
      if (change === null) continue
      // What another program wrote is noticed a moment later.
      const byAudit = (await readers.audit()) || (await readers.later())
      const byVerifier = change.what.startsWith('log_') ? await readers.verifier() : ''
      await change.undo()
      await wait(NOTICED_MS)
      found.add(change, { audit: byAudit, verifier: byVerifier })
    }
  }
  const after = await settled(async () => (await readers.audit()) || (await readers.verifier()))
  return [
    kept('found before anything is changed', before || 'nothing', 'nothing', before === ''),
    ...found.figures(),
    kept('found when everything is put back', after || 'nothing', 'nothing', after === ''),
  ]
}

/** Who found what. */
class Findings {
  made = 0
  /** Split views that fit together for a reader who knows no witness. */
  unseenAlone = 0
  readonly #kinds = new Map<string, number>()
  readonly #by = new Map<string, number>()
  readonly #unseen: string[] = []
  readonly #examples = new Map<string, string>()

  add({ kind, what }: Pick<Tampering, 'kind' | 'what'>, found: Readonly<Record<string, string>>): void {
    this.made += 1
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1)
    const finders = Object.entries(found).filter(([, where]) => where !== '')
    for (const [finder, where] of finders) {
      this.#by.set(finder, (this.#by.get(finder) ?? 0) + 1)
      if (!this.#examples.has(kind)) this.#examples.set(kind, `${what} -> ${finder}: ${where}`)
    }
    if (finders.length === 0) this.#unseen.push(`${kind}, ${what}`)
  }

  figures() {
    const listed = (counts: ReadonlyMap<string, number>): string =>
      [...counts]
        .sort(([, a], [, b]) => b - a)
        .map(([name, n]) => `${name} ${n}`)
        .join(', ')
    return [
      info('changes', this.made),
      ...[...this.#kinds].sort().map(([kind, n]) => info(`  ${kind}`, n)),
      none('changes that nobody found', this.#unseen),
      info('found by', listed(this.#by)),
      info('split views that only a witness or a memory shows', this.unseenAlone),
      ...[...this.#examples]
        .sort()
        .slice(0, MOST_EXAMPLES)
        .map(([kind, where]) => info(`  where, ${kind}`, where.slice(0, 160))),
    ]
  }
}

async function fill(store: Store): Promise<void> {
  for (let n = 0; n < HOSTS; n += 1) {
    const host = `h${n}.seller.example`
    const probes = Array.from({ length: PROBES }, (_, at) =>
      aProbe({
        host,
        atUs: NOON_US + at * 1000,
        latencyMs: 40 + at,
        challenge: at % 3 === 0 ? aChallenge(10_000) : null,
      }),
    )
    const wallet = (of: number): string => `0x${String(of).repeat(40)}`
    const reviews = [1, 2].map((of) =>
      aReview({
        host,
        id: `review-${n}-${of}`,
        wallet: wallet(of),
        url: `https://${host}/v1/weather`,
        text: `Review ${n}`,
      }),
    )
    const posts = [aPost({ host, id: `post-${n}` })]
    const statements = [aStatement({ host, id: `statement-${n}`, about: host })]
    const rows = { listings: [aListing({ host })], probes, reviews, posts, statements }
    await saveEvidence(store, evidence({ ...rows, claims: [aClaim({ host })], signedOffers: [anOffer({ host })] }))
  }
  for (let n = 0; n < ALONE; n += 1) {
    const host = `h${n % HOSTS}.seller.example`
    await saveProbes(store, { probes: [aProbe({ host, atUs: NOON_US + 1_000_000 + n, latencyMs: 60 })] })
  }
  const startedUs = Date.now() * 1000 + 60_000_000
  await sweepsOn(store).finishSweep(
    {
      ...{
        source: 'bazaar',
        startedUs,
        endedUs: startedUs + 1_000_000,
        status: 'partial',
        resumed: false,
        isWhole: false,
      },
      ...{ seen: 3, stored: 2, pages: 1, bytes: 100, refused: {}, answers: {}, announced: null },
      ...{ error: 'it went away', failedPage: null },
    },
    null,
  )
}

/** The log has everything within ten seconds. */
async function settled(look: () => Promise<string>): Promise<string> {
  let found = await look()
  for (let tries = 0; found !== '' && tries < 20; tries += 1) {
    await wait(500)
    found = await look()
  }
  return found
}
