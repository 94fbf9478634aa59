import { expect, it } from 'vitest'
import { SELLER_SOURCES } from '../src/ingest/source.ts'
import { SWEEP_LIMITS } from '../src/ingest/sweep/sweep-limits.ts'
import { NO_DOCUMENT } from '../src/render/listing-words.ts'

it('tells a seller whose document was not read where one is looked for, and how large it may be', () => {
  for (const path of SELLER_SOURCES.flatMap(({ paths }) => paths)) expect(NO_DOCUMENT).toContain(path)
  expect(NO_DOCUMENT).toContain(`${SWEEP_LIMITS.documentBytes / 1_048_576} MiB`)
})
