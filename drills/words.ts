import { parseArgs } from 'node:util'
import type { Drill, Sizes } from './drill.ts'

export interface Asked {
  readonly name: string
  readonly drill: Drill
  readonly sizes: Sizes
  readonly seed: number | undefined
  readonly isSmall: boolean
}

type Drills = Readonly<Record<string, Drill>>

/** What a command line asks for; `undefined` when that cannot be told. */
export function askedFor(words: readonly string[], drills: Drills): Asked | undefined {
  const [name = '', ...rest] = words
  const drill = Object.hasOwn(drills, name) ? drills[name] : undefined
  if (drill === undefined) return undefined
  try {
    const names = Object.keys(drill.full)
    const numbers = Object.fromEntries(['seed', ...names].map((each) => [each, { type: 'string' as const }]))
    const { values } = parseArgs({ args: rest, options: { ...numbers, small: { type: 'boolean' } } })
    const given = new Map(
      Object.entries(values).flatMap(([each, text]) => (typeof text === 'string' ? [[each, wholeIn(text)]] : [])),
    )
    if ([...given.values()].includes(undefined)) return undefined
    const isSmall = values.small === true
    const base = isSmall ? drill.small : drill.full
    const sizes = Object.fromEntries(names.map((each) => [each, given.get(each) ?? base[each] ?? 0]))
    return { name, drill, sizes, seed: given.get('seed'), isSmall }
  } catch {
    return undefined
  }
}

const wholeIn = (text: string): number | undefined => (/^\d{1,10}$/.test(text) ? Number(text) : undefined)

export function usage(drills: Drills): string {
  const lines = Object.entries(drills).map(([name, { about, full }]) => {
    const options = Object.entries(full).map(([size, value]) => `[--${size} ${value}]`)
    return `  ${[name, ...options].join(' ')}\n      ${about}`
  })
  return `npm run drill -- <name> [--seed <n>] [--small]\n\n${lines.join('\n')}\n`
}
