import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FIXTURES } from '../../../scripts/fixture-table.ts'
import { METHODS, RAILS } from '../../domain/route.ts'
import { type Found, REFUSALS } from '../found.ts'
import { field, fieldsOf, listOf } from '../read/guards.ts'
import { atOnce } from '../read/steps.ts'
import { DEFINITIONS } from '../source.ts'
import type { SourceDefinition } from '../source-definition.ts'
import { type Random, randomOf } from '../testing/moving-list.ts'
import { type SourceSample, sampleOf } from '../testing/source-sample.ts'

/** `FUZZ_RUNS=1000000 npx vitest run src/ingest/sources/fuzz.test.ts` is the long run, printing the slowest item of each. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 2_000)
/** The first run: `FUZZ_FROM=355905 FUZZ_RUNS=1` repeats one alone. */
const FROM = Number(process.env.FUZZ_FROM ?? 0)
const SEED = Number(process.env.FUZZ_SEED ?? 402)

const pick = <T>(values: readonly [T, ...T[]], next: Random): T =>
  values[Math.floor(next() * values.length)] ?? values[0]

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

const ODD: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  1e-9,
  5e-324,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  '$',
  '$0.01',
  '-5',
  '1e5',
  '.5',
  '0x10',
  '9'.repeat(100),
  'x'.repeat(5_000),
  ' '.repeat(20_000),
  '/'.repeat(20_000),
  `${'0'.repeat(30_000)}!`,
  '{'.repeat(10_000),
  `${'a.'.repeat(10_000)}example`,
  '\ud800',
  '\u202e\u0000\u{e0001}',
  'constructor',
  '__proto__',
  'GET',
  'mcp',
  'base',
  'eip155:',
  'http://',
  'https://[::1]/x',
  'https://user@pay.example/x',
  'https://2130706433/x',
  'https://pay.example/%zz/{a}/:b?c=%7Bd%7D#e',
  'HTTPS://PAY.EXAMPLE:443',
  '//pay.example/x',
  '../../x',
  'POST /x',
  [],
  {},
  [[]],
  deep(1_000),
]

/** One change somewhere in a copy of the value: replaced, removed, renamed, doubled, wrapped or cut. */
function mutate(value: unknown, next: Random, chance = 0.08): unknown {
  if (next() < chance) return structuredClone(pick(ODD, next))
  if (Array.isArray(value)) {
    const copy = value.map((entry) => mutate(entry, next, chance))
    if (next() < chance) copy.splice(Math.floor(next() * copy.length), 1)
    if (next() < chance) copy.push(...copy)
    return copy
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      if (next() < chance / 2) return []
      const changed = mutate(field, next, chance)
      if (next() < chance / 4) return [[name, [changed]]]
      if (next() < chance / 4) return [[name, { [name]: changed }]]
      if (next() < chance / 4) return [[String(pick(ODD, next)).slice(0, 50), changed]]
      return [[name, changed]]
    })
    return Object.fromEntries(entries)
  }
  if (typeof value === 'string' && next() < chance) {
    const at = Math.floor(next() * (value.length + 1))
    return next() < 0.5 ? value.slice(0, at) : `${value.slice(0, at)}${String(pick(ODD, next))}${value.slice(at)}`
  }
  return value
}

const json = (file: string): unknown => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'))

/** The real samples too, where they are; documents over 60 kB would only make the run slower. */
function realItems({ at, list, most }: NonNullable<SourceSample['real']>): unknown[] {
  if (!existsSync(FIXTURES)) return []
  const items =
    list === undefined
      ? readdirSync(join(FIXTURES, at)).map((file) => json(join(at, file)))
      : listOf(field(fieldsOf(json(at)), list))
  return items.filter((item) => JSON.stringify(item).length < 60_000).slice(0, most)
}

type Parse = (item: unknown) => Found

const allow: string[] = []
const base = 'https://api.shop.example/.well-known/x402'

/** How an item comes to the parser. */
function parserOf(definition: SourceDefinition, { documentOf }: SourceSample): Parse {
  switch (definition.shape) {
    case 'pages':
      return (item) => definition.parse(documentOf(item), { allow })
    case 'sellers':
      return (item) => atOnce(definition.read(documentOf(item), { allow, base }))
    case 'file':
      return (item) => definition.parse([{ number: 1, text: JSON.stringify(documentOf(item)) ?? '' }], { allow })
  }
}

/** What every parser promises whatever it is given. */
function faultIn(found: Found): string | undefined {
  for (const { address, method, rail, price } of found.listings) {
    if (!METHODS.includes(method) || !RAILS.includes(rail)) return 'method or rail'
    if (price !== null && (!Number.isSafeInteger(price) || price < 0)) return 'price'
    if (!address.host.includes('.') || Buffer.byteLength(address.path) > 2_000) return 'address'
  }
  for (const { reason, item } of found.refused) if (!REFUSALS.includes(reason) || item.length > 160) return 'refusal'
  return undefined
}

/** An item that is slow is slow every time; a pause of the machine is not the item's. */
function timed(parse: Parse, item: unknown): { ms: number; fault: string | undefined } {
  let fault: string | undefined
  let fastest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 10 && fastest > 5; attempt += 1) {
    const started = performance.now()
    fault = faultIn(parse(item))
    fastest = Math.min(fastest, performance.now() - started)
  }
  return { ms: fastest, fault }
}

describe('a mutated item', () => {
  for (const definition of DEFINITIONS) {
    const { kind } = definition
    it(
      `never breaks the ${kind} parser`,
      async () => {
        const sample = await sampleOf(kind)
        const parse = parserOf(definition, sample)
        for (const item of sample.items) expect(parse(item).listings.length).toBeGreaterThan(0)
        const seeds = [...sample.items, ...(sample.real === undefined ? [] : realItems(sample.real))]
        let slowest = { ms: 0, run: -1 }
        for (let run = FROM; run < FROM + RUNS; run += 1) {
          const next = randomOf(SEED + run * 7_919)
          const item = mutate(seeds[run % seeds.length], next, pick([0.01, 0.04, 0.15], next))
          const { ms, fault } = timed(parse, item)
          if (ms > slowest.ms) slowest = { ms, run }
          if (fault !== undefined) expect.fail(`${fault} in run ${run} of seed ${SEED}`)
        }
        expect(slowest.run).toBeGreaterThanOrEqual(0)
        if (process.env.FUZZ_RUNS)
          process.stdout.write(`${kind}: ${RUNS} items, slowest ${slowest.ms.toFixed(1)} ms (run ${slowest.run})\n`)
      },
      60_000 + RUNS * 5,
    )
  }
})

const DEEP = `${'[{"x":'.repeat(20_000)}0${'}]'.repeat(20_000)}`
const HOLE = 'deep here'

/** Copies of a value, each with another of its fields, or all of it, replaced by `HOLE`. */
function* holed(value: unknown): Generator<unknown> {
  yield HOLE
  for (const [index, inner] of listOf(value).entries())
    for (const hole of holed(inner)) yield listOf(value).with(index, hole)
  for (const [name, inner] of Object.entries(fieldsOf(value)))
    for (const hole of holed(inner)) yield { ...fieldsOf(value), [name]: hole }
}

function parsed(definition: SourceDefinition, text: string): Found {
  if (definition.shape === 'file') return definition.parse([{ number: 1, text }], { allow })
  if (definition.shape === 'pages') return definition.parse(JSON.parse(text), { allow })
  return atOnce(definition.read(JSON.parse(text), { allow, base }))
}

describe('a value nested deeper than any stack is high', () => {
  for (const definition of DEFINITIONS) {
    it(`is anywhere in a document one bad item to the ${definition.kind} parser`, async () => {
      const { items, documentOf } = await sampleOf(definition.kind)
      for (const document of items.flatMap((item) => [...holed(item)].map(documentOf))) {
        const text = JSON.stringify(document).replaceAll(`"${HOLE}"`, DEEP)
        const found = parsed(definition, text)
        expect(faultIn(found)).toBeUndefined()
        if (definition.shape === 'pages') expect(definition.paging(JSON.parse(text))?.items).toBe(1)
      }
    })
  }
})
