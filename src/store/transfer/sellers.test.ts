import { createReadStream, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { someone } from '../../../test/support/reviewing.ts'
import { aPost, aReview, aRoute, evidence } from '../../../test/support/samples.ts'
import { HOST, openSelling, ROUTE } from '../../../test/support/selling.ts'
import { hideStatement } from '../sellers/hide-statement.ts'
import type { Store } from '../store.ts'
import { exportRecords } from './export.ts'
import { importFile } from './import.ts'
import { saveEvidence } from './save-evidence.ts'
import { verifyStore } from './verify.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function exported(store: Store, name: string): Promise<string> {
  const lines: string[] = []
  await exportRecords(store, async (records) => {
    lines.push(...records.map((record) => JSON.stringify(record)))
  })
  const file = join(folder, name)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

const linesIn = async (file: string): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) lines.push(line)
  return lines
}

const differencesIn = async (store: Store): Promise<unknown[]> => {
  const found: unknown[] = []
  await verifyStore(store, (one) => found.push(one))
  return found
}

/** A store in which a seller said something of every kind. */
async function told(store: Store): Promise<void> {
  const { claim, challenge, say, clock, nextDay } = await openSelling(store)
  const account = someone()
  await challenge([account.address], 3)
  const review = aReview({ ...aRoute({ scheme: 'http' }), url: `http://${HOST}/v1/weather` })
  await saveEvidence(store, evidence({ reviews: [review], posts: [aPost()] }))
  await claim(account)
  await nextDay()
  for (const more of [
    { kind: 'reply', about: 'review review-1', text: 'Fixed.\n```\n# no' },
    { kind: 'reply', about: 'post post-1', text: 'Yes.' },
    { kind: 'correct', about: `${ROUTE} bazaar`, text: 'It costs 0.02.' },
    { kind: 'contact', about: HOST, text: 'mail us' },
    { kind: 'retire', about: ROUTE, text: '' },
  ] as const) {
    clock.us += 1_000_000
    await say(account, more)
  }
  const { statement } = await say(account, { kind: 'contact', about: HOST, text: 'rude words' })
  await hideStatement(store, statement.id, clock.us, 'rude')
}

onEachEngine('claims and statements', (engine) => {
  it('move between stores as they are, in one order on every engine, and again without a change', async () => {
    const store = await engine.open()
    await told(store)
    expect(await differencesIn(store)).toEqual([])
    const file = await exported(store, `${engine.name}-1.ndjson`)
    const lines = await linesIn(file)
    expect(lines.filter((line) => line.startsWith('{"kind":"claim"'))).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith('{"kind":"statement"'))).toHaveLength(6)
    const other = await engine.open()
    await importFile(other, file, [])
    await importFile(other, file, [])
    expect(await differencesIn(other)).toEqual([])
    expect(await linesIn(await exported(other, `${engine.name}-2.ndjson`))).toEqual(lines)
    const page = { limit: 50, cursor: null }
    expect(await directoryOf(other).hostView(HOST, page)).toEqual(await directoryOf(store).hostView(HOST, page))
    expect(await directoryOf(other).statements(HOST, page)).toEqual(await directoryOf(store).statements(HOST, page))
  })

  it('give the same in whatever order the lines come', async () => {
    const store = await engine.open()
    await told(store)
    const lines = await linesIn(await exported(store, `${engine.name}-3.ndjson`))
    const file = join(folder, `${engine.name}-back.ndjson`)
    const events = lines.filter((line) => line.startsWith('{"kind":"event"'))
    const others = lines.filter((line) => !line.startsWith('{"kind":"event"')).toReversed()
    writeFileSync(file, [...others, ...events].join('\n'))
    const other = await engine.open()
    await importFile(other, file, [])
    expect(await differencesIn(other)).toEqual([])
    expect((await linesIn(await exported(other, `${engine.name}-4.ndjson`))).toSorted()).toEqual(lines.toSorted())
  })

  it('are found out when somebody changes what was said', async () => {
    const store = await engine.open()
    await told(store)
    await store.write(async (writer) => {
      await writer.updateTable('statements').set({ text: 'It is free.' }).where('kind', '=', 'correct').execute()
      await writer.deleteFrom('retirements').execute()
    })
    const found = await differencesIn(store)
    expect(found).toContainEqual(expect.objectContaining({ what: expect.stringMatching(/^statement [0-9a-f]{32}$/) }))
    expect(found).toContainEqual(
      expect.objectContaining({ what: expect.stringMatching(/^retired route/), stored: null }),
    )
  })
})
