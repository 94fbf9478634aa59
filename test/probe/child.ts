import { createEgress, parseConnectTo } from '../../src/probe/egress.ts'
import { createProber } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../../src/probe/settings.ts'
import { openStore } from '../../src/store/open.ts'

/** How a test starts a prober of its own process, to kill it. */
export interface ChildOptions {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly connectTo: string
  /** Also its user agent, so that sellers know whose request it is. */
  readonly name: string
  /** Its clock runs so far ahead: leases of those killed before are over. */
  readonly aheadMs: number
}

const options: ChildOptions = JSON.parse(process.argv[2] ?? '{}')
const store = await openStore(options)
const prober = createProber(
  {
    store,
    egress: createEgress({ connectTo: parseConnectTo(options.connectTo), userAgent: options.name }),
    nowUs: () => (Date.now() + options.aheadMs) * 1000,
    log: { info: () => undefined, warn: console.error, error: console.error },
    name: options.name,
  },
  { ...DEFAULT_PROBER, manners: { gapMs: 0, optOut: [] }, concurrency: 12 },
)
await prober.run(new AbortController().signal)
