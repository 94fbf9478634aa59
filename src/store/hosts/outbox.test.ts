import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aClaim, aStatement, evidence } from '../../../test/support/samples.ts'
import { Problem } from '../../domain/problem.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'

onEachEngine('what is told to the log', (engine) => {
  it('is refused with everything of its transaction where no entry has room for it', async () => {
    const store = await engine.open()
    const statements = [aStatement(), aStatement({ id: 'statement-2', signature: 'f'.repeat(60_000) })]
    const refused = await saveEvidence(store, evidence({ claims: [aClaim()], statements })).catch((error) => error)
    expect(refused).toBeInstanceOf(Problem)
    expect(refused).toMatchObject({
      ...{ status: 413, detail: expect.stringMatching(/^What the evidence log would say of this has 60\d{3} bytes/) },
      hint: expect.stringContaining('Nothing of it was stored'),
    })
    for (const table of ['log_entries', 'statements', 'claims', 'hosts'] as const)
      expect(await store.read.selectFrom(table).selectAll().execute()).toEqual([])
  })
})
