export const GROUPS = ['Run', 'Evidence', 'Write', 'Check'] as const

/** One option: `parseArgs` of `node:util` reads `type` and `default`, people read the rest. */
export interface OptionEntry {
  readonly type: 'string' | 'boolean'
  readonly default?: string | boolean
  /** What stands for its value in a usage line. */
  readonly value?: string
  readonly isNeeded?: true
  readonly about: string
}

/** What is said about a command without loading it: plain data, since `--help` is to be instant. */
export interface CommandEntry {
  readonly name: string
  readonly group: (typeof GROUPS)[number]
  /** The words after its name, options aside. */
  readonly takes: string
  /** Its line of `tollbook --help`: 40 characters at most, so that the line fits a terminal of 80. */
  readonly summary: string
  /** Lines of 80 characters at most. */
  readonly about: string
  readonly options: Readonly<Record<string, OptionEntry>>
  /** The words after its name in a call that works. */
  readonly example: string
}

/** `--key-file <file>` */
export const optionForm = (name: string, { value }: OptionEntry): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`

/** `tollbook post <host> --key-file <file> [options]` */
export function usageOf({ name, takes, options }: CommandEntry): string {
  const all = Object.entries(options)
  const needed = all.filter(([, option]) => option.isNeeded)
  const words = [takes, ...needed.map(([option, entry]) => optionForm(option, entry))]
  if (needed.length < all.length) words.push('[options]')
  return ['tollbook', name, ...words.filter((word) => word !== '')].join(' ')
}
