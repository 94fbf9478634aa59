import { type CommandEntry, GROUPS, type OptionEntry, optionForm, usageOf } from './entry.ts'

const GAP = 2

/** `tollbook --help`. `called` is how the command is called where it stands. */
export function helpOf(entries: readonly CommandEntry[], called: string): string {
  const rows = entries.map(({ group, name, takes, summary }) => ({
    group,
    cells: [`tollbook ${name} ${takes}`.trimEnd(), summary] as const,
  }))
  const width = Math.max(...rows.map(({ cells: [form] }) => form.length)) + GAP
  const parts = GROUPS.map((group) => {
    const own = rows.filter((row) => row.group === group)
    return `\n${group}\n${columns(
      own.map(({ cells }) => cells),
      width,
    )}`
  })
  return [
    'Usage: tollbook <command> [options]\n',
    ...parts,
    '\ntollbook <command> --help says more about one, tollbook --version which this is.\n',
    `Here "tollbook" stands for: ${called}\n`,
  ].join('')
}

/** `tollbook <command> --help`. */
export function commandHelpOf(entry: CommandEntry, called: string): string {
  const options = Object.entries(entry.options).map(
    ([name, option]) => [optionForm(name, option), says(option)] as const,
  )
  const width = Math.max(0, ...options.map(([form]) => form.length)) + GAP
  return [
    `Usage: ${usageOf(entry)}\n`,
    `\n${entry.summary.replace(/^./, (first) => first.toUpperCase())}.\n${entry.about}\n`,
    options.length === 0 ? '' : `\nOptions\n${columns(options, width)}`,
    `\nExample\n  ${called} ${entry.example}\n`,
  ].join('')
}

const says = ({ about, default: otherwise }: OptionEntry): string =>
  typeof otherwise === 'string' ? `${about} (${otherwise} unless given)` : about

const columns = (rows: readonly (readonly [string, string])[], width: number): string =>
  rows.map(([left, right]) => `  ${left.padEnd(width)}${right}\n`).join('')
