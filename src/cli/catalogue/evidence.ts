import type { CommandEntry } from './entry.ts'

export const INGEST = {
  name: 'ingest',
  group: 'Evidence',
  takes: '[source…]',
  summary: 'sweep the listing sources once',
  about: `Reads these sources, or all of SOURCES, and stores what they list. Exits with 1
unless every sweep was complete.`,
  options: {},
  example: 'ingest openapi',
} as const satisfies CommandEntry

export const ADD = {
  name: 'add',
  group: 'Evidence',
  takes: '<url>',
  summary: 'list the routes of one seller',
  about: `Reads the seller's own documents, openapi.json and /.well-known/x402, and stores
the paid routes that they name.`,
  options: {},
  example: 'add https://api.example.com',
} as const satisfies CommandEntry

export const PROBE = {
  name: 'probe',
  group: 'Evidence',
  takes: '[host…]',
  summary: 'probe what is due once, without paying',
  about: `One round now: what is due, or all routes of these hosts. Ctrl-C ends it early,
with what was seen until then saved.`,
  options: {},
  example: 'probe api.example.com',
} as const satisfies CommandEntry

export const IMPORT = {
  name: 'import',
  group: 'Evidence',
  takes: '<file>',
  summary: 'save the NDJSON records of a file',
  about: `One record a line, compressed by gzip or not; - reads standard input. A bad
line is named by its number, and nothing of that file is imported. Of a folder
that tollbook archive has written, every file that its manifest names.`,
  options: {},
  example: 'import records.ndjson',
} as const satisfies CommandEntry

export const EXPORT = {
  name: 'export',
  group: 'Evidence',
  takes: '[file]',
  summary: 'write everything as NDJSON records',
  about: `To a file, which appears when it is whole, or to standard output, which - means
too. Imported into an empty store it gives the same views.`,
  options: {},
  example: 'export everything.ndjson',
} as const satisfies CommandEntry

export const ARCHIVE = {
  name: 'archive',
  group: 'Evidence',
  takes: '',
  summary: 'write old months to files, then remove them',
  about: `Months beyond KEEP_ENTRIES go to ARCHIVE_TO as compressed records, and leave the
store when their files are kept for good. Counters go on counting them. A server
with the role probe does the same once a day.`,
  options: {
    'dry-run': { type: 'boolean', about: 'say which months, and change nothing' },
    'new-place': { type: 'boolean', about: 'what was archived before is elsewhere' },
  },
  example: 'archive --dry-run',
} as const satisfies CommandEntry
