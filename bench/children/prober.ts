import { createEgress, parseConnectTo } from '../../src/probe/egress.ts'
import { createProber, type Prober } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../../src/probe/settings.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { answering } from '../rigs/child.ts'

/** One round of a prober in a process of its own. */
export interface RoundQuestion {
  readonly options: StoreOptions
  readonly name: string
  readonly port: number
  readonly concurrency: number
  readonly routesPerTurn: number
  /** What is due at this time is probed; the prober's clock starts there. */
  readonly cutoffUs: number
}

let prober: Prober | undefined
let aheadUs = 0
const nowUs = (): number => Date.now() * 1000 + aheadUs

async function open({ options, name, port, concurrency, routesPerTurn }: RoundQuestion): Promise<Prober> {
  const log = { info: () => undefined, warn: console.error, error: console.error }
  const connectTo = parseConnectTo(`*.example:80:127.0.0.1:${port}`)
  const egress = createEgress({ connectTo, userAgent: 'tollbook-bench' })
  const settings = { ...DEFAULT_PROBER, manners: { gapMs: 0, optOut: [] }, concurrency, routesPerTurn }
  return createProber({ store: await openStore(options), egress, nowUs, log, name }, settings)
}

answering(async (question: RoundQuestion) => {
  prober ??= await open(question)
  aheadUs = question.cutoffUs - Date.now() * 1000
  const never = new AbortController().signal
  await prober.enrolAll(never)
  await prober.round({ cutoffUs: question.cutoffUs, hostIds: null }, never)
  return {}
})
