import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RAILS } from '../domain/route.ts'

/** The steps of a payment, and how each says what went wrong. */
const SHARED = ['offer', 'demand', 'credential', 'check', 'settle', 'look', 'receipt', 'refusals', 'problems', 'rail']

it.each(RAILS)('The rail %s has a file of the same name for every step.', (rail) => {
  const files = readdirSync(join(import.meta.dirname, rail))
  expect(files).toEqual(expect.arrayContaining(SHARED.map((step) => `${step}.ts`)))
})
