import { readFileSync, writeFileSync } from 'node:fs'
import { configTable } from './config-table.ts'
import { defaultSourcesTable, kindsTable, wordsTable } from './source-tables.ts'
import { alertsTable, metricsTable } from './watching/tables.ts'

/** The tables of the documents that follow from the code, by document and by the name in their marks. */
const TABLES = {
  'docs/operating.md': { 'config table': configTable, 'metrics table': metricsTable, 'alerts table': alertsTable },
  'docs/sources.md': {
    'default sources': defaultSourcesTable,
    'kinds of sources': kindsTable,
    'words of sources': wordsTable,
  },
} as const

type Page = keyof typeof TABLES

/** The page with its tables as the code has them now. */
export function withTables(file: Page, page: string): string {
  let written = page
  for (const [name, table] of Object.entries(TABLES[file])) {
    const start = `<!-- ${name}: written by \`node dist/scripts/write-tables.js\` -->\n`
    const end = `<!-- end of ${name} -->`
    const [before, rest] = written.split(start)
    const after = rest?.split(end)[1]
    if (before === undefined || after === undefined) throw new Error(`${file} has lost the marks of ${name}`)
    written = `${before}${start}${table()}\n${end}${after}`
  }
  return written
}

if (process.argv[1]?.endsWith('write-tables.js')) {
  for (const file of ['docs/operating.md', 'docs/sources.md'] as const) {
    writeFileSync(file, withTables(file, readFileSync(file, 'utf8')))
  }
}
