import type { Seeded } from '../test/crash/seeded.ts'

/** One promise, and what was seen of it. */
export interface Figure {
  readonly what: string
  readonly seen: string
  /** What is promised; `null`: it only informs. */
  readonly promise: string | null
  readonly isKept: boolean
}

/** How large a drill is, by the names of its options. */
export type Sizes = Readonly<Record<string, number>>

/** What every drill gets; whoever runs it owns all of it and cleans up. */
export interface DrillContext<Names extends string = string> {
  readonly random: Seeded
  readonly sizes: Readonly<Record<Names, number>>
  /** False where other work goes on beside it: times are told then, and not held to anything. */
  readonly judgesTimes: boolean
  /** A new empty folder that is removed afterwards. */
  folder(): string
  /** Shown to a person who watches. */
  progress(label: string, done: number, total: number | null): void
}

export interface Drill {
  readonly about: string
  /** Seconds after which it is given up. */
  readonly mostS: number
  /** By hand, unless told otherwise. */
  readonly full: Sizes
  /** In the test suite. */
  readonly small: Sizes
  run(context: DrillContext): Promise<readonly Figure[]>
}

interface DrillOf<Names extends string> extends Omit<Drill, 'full' | 'small' | 'run'> {
  readonly full: Readonly<Record<Names, number>>
  readonly small: Readonly<Record<NoInfer<Names>, number>>
  run(context: DrillContext<NoInfer<Names>>): Promise<readonly Figure[]>
}

/** A drill that knows its sizes by their names. */
export const createDrill = <const Names extends string>(drill: DrillOf<Names>): Drill => ({
  ...drill,
  run: (context) => drill.run({ ...context, sizes: { ...drill.full, ...context.sizes } }),
})

export const kept = (what: string, seen: string | number, promise: string, isKept: boolean): Figure => ({
  what,
  seen: shown(seen),
  promise,
  isKept,
})

/** A promise about time. */
export const inTimeOf = (
  { judgesTimes }: Pick<DrillContext, 'judgesTimes'>,
  what: string,
  seen: string,
  promise: string,
  isKept: boolean,
): Figure => (judgesTimes ? kept(what, seen, promise, isKept) : info(what, seen))

const MOST_EXAMPLES = 3
const LONGEST_EXAMPLE = 100

/** What must not happen at all. */
export const none = (what: string, found: readonly string[] | number): Figure => {
  const count = typeof found === 'number' ? found : found.length
  const words = typeof found === 'number' ? [] : [...new Set(found)].slice(0, MOST_EXAMPLES)
  const examples = words.length === 0 ? '' : ` (${words.map((word) => word.slice(0, LONGEST_EXAMPLE)).join('; ')})`
  return { what, seen: `${shown(count)}${examples}`, promise: 'none', isKept: count === 0 }
}

export const info = (what: string, seen: string | number): Figure => ({
  what,
  seen: shown(seen),
  promise: null,
  isKept: true,
})

const shown = (value: string | number): string => (typeof value === 'number' ? value.toLocaleString('en-US') : value)
