import type { CommandEntry } from './entry.ts'

/** What a program does: any number of programs share a store on Postgres, one holds all roles on SQLite. */
export const ROLES = ['web', 'ingest', 'probe'] as const
/** Every web process also makes the evidence log grow; `log` does nothing else. */
export const ALL_ROLES = [...ROLES, 'log'] as const
export type Role = (typeof ALL_ROLES)[number]

export const SERVE = {
  name: 'serve',
  group: 'Run',
  takes: '',
  summary: 'run pages, API, sweeps and probes',
  about: `Runs the directory until it is told to stop, then lets requests finish. Settings
are environment variables, PORT and DATA_DIR among them: docs/operating.md.
Roles are ${ALL_ROLES.join(', ')}: web also makes the evidence log grow, log
does nothing else.`,
  options: {
    roles: {
      type: 'string',
      default: ROLES.join(','),
      value: '<role,…>',
      about: 'what this program does',
    },
  },
  example: 'serve --roles web',
} as const satisfies CommandEntry

export const MCP = {
  name: 'mcp',
  group: 'Run',
  takes: '',
  summary: 'Model Context Protocol tools on stdio',
  about: `Answers an MCP client on standard input and output, from the store of this
machine or from a directory elsewhere.`,
  options: { to: { type: 'string', value: '<address>', about: 'a directory elsewhere' } },
  example: 'mcp --to https://tollbook.example',
} as const satisfies CommandEntry

export const BACKUP = {
  name: 'backup',
  group: 'Run',
  takes: '<file>',
  summary: 'write a verified copy of the store',
  about: `Of one moment, while the directory runs. On SQLite it is a file of SQLite, on
Postgres the records of an export. It appears when every counter was recomputed.`,
  options: {},
  example: 'backup tollbook.backup',
} as const satisfies CommandEntry

export const RESTORE = {
  name: 'restore',
  group: 'Run',
  takes: '<file>',
  summary: 'put a backup into an empty store',
  about: `Takes what backup has written, and verifies the store afterwards. A store that
holds anything is left as it is.`,
  options: {},
  example: 'restore tollbook.backup',
} as const satisfies CommandEntry

export const MIGRATE = {
  name: 'migrate',
  group: 'Run',
  takes: '',
  summary: 'bring the schema up to date',
  about: `So does a start, and every command that writes to the store, before anything
else. Those that only look leave an older schema as it is, and say so.`,
  options: {},
  example: 'migrate',
} as const satisfies CommandEntry

export const DISTRIBUTE = {
  name: 'distribute',
  group: 'Run',
  takes: '',
  summary: 'spread the tables over a Citus cluster',
  about: `Places every table: with its host on one of the workers, everywhere, or on the
coordinator. What is placed already stays there, so it may be called again. The
number of shards stays what it is the first time.`,
  options: {
    shards: { type: 'string', value: '<n>', about: 'parts of the hosts; four a worker unless given' },
  },
  example: 'distribute --shards 16',
} as const satisfies CommandEntry

export const WITNESS = {
  name: 'witness',
  group: 'Run',
  takes: '<vkey…>',
  summary: "cosign others' logs while they only grow",
  about: `Answers logs that ask for a cosignature (c2sp.org/tlog-witness), and gives it to
a tree that begins with the one it has seen before, to no other. The keys are of
the logs to be watched, as each shows its own. That of the witness is made here.`,
  options: {
    name: { type: 'string', value: '<name>', isNeeded: true, about: 'needed: of the witness, e.g. witness.example' },
    listen: { type: 'string', default: '127.0.0.1:8403', value: '<address:port>', about: 'where it answers' },
    folder: { type: 'string', default: 'witness', value: '<folder>', about: 'made at first start' },
  },
  example: 'witness tollbook.example/log+<id>+<key> --name witness.example',
} as const satisfies CommandEntry
