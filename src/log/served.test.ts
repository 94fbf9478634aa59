import type { KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { aProbe, NOON_US } from '../../test/support/samples.ts'
import { saveProbes } from '../store/probes/save-probes.ts'
import type { Store } from '../store/store.ts'
import { EvidenceLog } from './evidence-log.ts'
import { Sequencer } from './sequencer.ts'
import { saveCosignatures } from './stored/tree.ts'
import { hashLeaf, newVerifier, openCheckpoint, parseProof, utf8, verifyInclusion } from './tlog/index.ts'

const SEED = new Uint8Array(32).fill(7)
const ORIGIN = 'tollbook.example/log'
const NAMES = ['one.example', 'two.example']

const lineOf = (witness: string, size: number): string =>
  `— ${witness} ${Buffer.from(`cosigns ${size}`).toString('base64')}\n`

onEachEngine('the checkpoint that is served', (engine) => {
  const world = async (witnesses: readonly string[] = NAMES) => {
    const store = await engine.open()
    const clock = { us: Date.now() * 1000 }
    const open = async () => {
      const log = await EvidenceLog.open({
        ...{ store, seed: SEED, origin: ORIGIN, folder: null },
        ...{ witnesses, nowUs: () => clock.us },
      })
      if (log === null) throw new Error('there is a key')
      return log
    }
    const log = await open()
    const sequencer = new Sequencer({
      ...{ store, by: 'test', nowUs: () => NOON_US, mayGrow: () => log.mayGrow(), onTrouble: () => undefined },
    })
    let n = 0
    /** One more entry. */
    const grow = async (): Promise<void> => {
      n += 1
      await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + n })] })
      await sequencer.step()
    }
    return { store, clock, open, log, grow }
  }

  const cosign = (store: Store, size: number, names: readonly string[] = NAMES): Promise<void> =>
    saveCosignatures(
      store,
      names.map((witness) => ({ witness, size, line: lineOf(witness, size), atUs: NOON_US })),
    )

  const shown = async (log: EvidenceLog) => {
    const { size, note } = (await log.checkpoint()) ?? { size: -1, note: '' }
    return { size, cosigned: NAMES.filter((name) => note.includes(lineOf(name, size))) }
  }

  it('is the newest head where no witness is asked', async () => {
    const { store, log, grow } = await world([])
    await grow()
    await cosign(store, 1)
    expect(await shown(log)).toEqual({ size: 1, cosigned: NAMES })
    await grow()
    expect(await shown(log)).toEqual({ size: 2, cosigned: [] })
  })

  it('stays the one that all witnesses have cosigned while the log grows, for every process, and for some seconds', async () => {
    const { store, clock, log, open, grow } = await world()
    await grow()
    await cosign(store, 1)
    for (let n = 0; n < 4; n += 1) {
      await grow()
      expect(await shown(log)).toEqual({ size: 1, cosigned: NAMES })
      expect(await shown(await open())).toEqual({ size: 1, cosigned: NAMES })
    }
    await cosign(store, 4)
    expect(await shown(log)).toEqual({ size: 4, cosigned: NAMES })
    clock.us += 60_000_000
    expect(await shown(log)).toEqual({ size: 5, cosigned: [] })
    expect(await shown(await open())).toEqual({ size: 5, cosigned: [] })
    await cosign(store, 5)
    expect(await shown(log)).toEqual({ size: 5, cosigned: NAMES })
  })

  it('never gets smaller: what was served without a cosignature stands until a cosigned one has grown past it', async () => {
    const { store, log, grow } = await world()
    await grow()
    await grow()
    expect(await shown(log)).toEqual({ size: 2, cosigned: [] })
    await grow()
    await cosign(store, 1)
    expect(await shown(log)).toEqual({ size: 2, cosigned: [] })
    await cosign(store, 3)
    await grow()
    expect(await shown(log)).toEqual({ size: 3, cosigned: NAMES })
  })

  it('never gets smaller from one process to another', async () => {
    const { store, log, open, grow } = await world()
    const other = await open()
    const sizes: number[] = []
    for (let n = 1; n < 7; n += 1) {
      await grow()
      if (n === 4) await cosign(store, 3)
      for (const one of [log, await open(), other]) sizes.push((await shown(one)).size)
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(sizes.at(-1)).toBe(3)
  })

  it('keeps the cosignatures of all while one witness is late, and goes on with the others where it stays away', async () => {
    const { store, clock, log, open, grow } = await world()
    await grow()
    await cosign(store, 1)
    expect(await shown(log)).toEqual({ size: 1, cosigned: NAMES })
    await grow()
    await cosign(store, 2, ['one.example'])
    await grow()
    expect(await shown(log)).toEqual({ size: 1, cosigned: NAMES })
    expect(await shown(await open())).toEqual({ size: 2, cosigned: ['one.example'] })
    clock.us += 60_000_000
    await cosign(store, 3, ['one.example'])
    expect(await shown(log)).toEqual({ size: 3, cosigned: ['one.example'] })
  })

  it('is signed also while a call that read an earlier head is still under way', async () => {
    const { store, grow } = await world()
    // SQLite is read by one at a time: nobody overtakes.
    if (engine.name === 'sqlite') return
    await grow()
    let answers = 0
    let goOn = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const late: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        answers += 1
        // Of the call that is overtaken: what it asks after the head.
        if (answers === 2) await gate
        return result
      },
    }
    const slow = { ...store, read: store.read.withPlugin(late) }
    const log = await EvidenceLog.open({ store: slow, seed: SEED, origin: ORIGIN, folder: null })
    const overtaken = log?.newest()
    await expect.poll(() => answers).toBe(2)
    await grow()
    expect(await log?.newest()).toMatchObject({ size: 2 })
    goOn()
    expect(await overtaken).toMatchObject({ size: 2 })
    expect(log?.fault).toBeNull()
  })

  it('is the one that proofs lead to, but for entries that are newer', async () => {
    const { store, log, grow } = await world()
    for (let n = 0; n < 3; n += 1) await grow()
    await cosign(store, 3)
    for (let n = 0; n < 2; n += 1) await grow()
    for (const [index, size] of [
      [0, 3],
      [2, 3],
      [3, 5],
      [4, 5],
    ] as const) {
      const { hashes, checkpoint } = parseProof((await log.proof(index)) ?? '')
      const opened = await openCheckpoint(checkpoint, newVerifier(log.vkey))
      expect(opened.size).toBe(size)
      const leaf = hashLeaf(utf8((await log.entry(index)) ?? ''))
      expect(verifyInclusion(leaf, index, size, hashes, opened.root)).toBe(true)
    }
    expect(await log.proof(5)).toBeUndefined()
  })
})
