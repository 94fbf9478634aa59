import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveEvidence } from '../src/store/transfer/save-evidence.ts'
import { temporaryFolder } from './support/engines.ts'
import { type FilledProgram, startFilledProgram } from './support/filled-program.ts'
import { tollbook } from './support/program.ts'
import { aChallenge, aListing, aPost, aProbe, aReview, evidence } from './support/samples.ts'

let program: FilledProgram
const folder = temporaryFolder()
beforeAll(async () => {
  program = await startFilledProgram({}, async (store, nowUs) => {
    const at = { atUs: nowUs - 1_000_000, challenge: aChallenge(10_000) }
    const rows = { listings: [aListing()], probes: [aProbe(at)], reviews: [aReview()], posts: [aPost()] }
    await saveEvidence(store, evidence(rows))
  })
})
afterAll(async () => {
  await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

const audit = (into: string) => tollbook(['audit', program.address, '--folder', join(folder, into)], {})

describe('tollbook audit', () => {
  it('says that everything follows from the log, and goes on from what it saw', async () => {
    const first = await audit('one')
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(/First checkpoint seen: \d+ entries\.\nEverything that is shown follows from the log: /)
    const second = await audit('one')
    expect(second.out).toMatch(/Goes on from the checkpoint of \d+ entries that was seen last\./)
  })

  it('proves single pieces, and explains what it cannot read', async () => {
    const probes = `${program.address}/v1/hosts/api.seller.example/probes`
    const proven = await tollbook(['verify', 'probe', probes], {})
    expect(proven.out).toMatch(
      /^In the log at \d+: proven for the checkpoint of \d+ entries by \S+\nVerified: the log has 1 entry\.\n$/,
    )
    const nowhere = await tollbook(['audit', 'http://127.0.0.1:1', '--folder', join(folder, 'nowhere')], {})
    expect(nowhere).toMatchObject({ code: 1, out: '' })
    expect(nowhere.err).toContain('does not answer')
    expect(await tollbook(['audit', 'somewhere'], {})).toMatchObject({ code: 2 })
  })
})
