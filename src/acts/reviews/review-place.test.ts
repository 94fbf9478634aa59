import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { HOST, openReviewing } from '../../../test/support/reviewing.ts'

onEachEngine('a review of a host that nobody listed', (engine) => {
  it('is told what host may have been meant, how to look for it and how one is listed', async () => {
    const store = await engine.open()
    const { submit, unsigned } = await openReviewing(store)
    const host = HOST.replace('seller', 'selelr')
    const refusal = submit(unsigned({ url: `https://${host}/v1/weather` }))
    await expect(refusal).rejects.toMatchObject({ slug: 'unknown-host', more: { host, near_matches: [HOST] } })
    await expect(refusal).rejects.toMatchObject({
      hint: expect.stringMatching(`^Did you mean ${HOST}[?] .* /v1/hosts[?]q=.* tollbook add\\.$`),
    })
  })
})
