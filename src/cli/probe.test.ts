import { afterEach, expect, it } from 'vitest'
import { type Answer, payment, type Sellers, startSellers, withoutRobots } from '../../test/probe/sellers.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import { aListing } from '../../test/support/samples.ts'
import { createProber } from '../probe/prober.ts'
import { DEFAULT_PROBER } from '../probe/settings.ts'
import { saveListings } from '../store/facts/save-listings.ts'
import { openStore } from '../store/open.ts'
import { type ProbeDeps, probeCommand } from './probe.ts'

const open: Sellers[] = []
afterEach(async () => {
  for (const sellers of open.splice(0)) await sellers.close()
})

const nowUs = (): number => Date.now() * 1000

const doorsTo = (sellers: Sellers, more: Partial<ProbeDeps> = {}): ProbeDeps => ({
  prober: (store, told) =>
    createProber(
      { store, egress: sellers.egress, nowUs, name: 'command', ...told },
      { ...DEFAULT_PROBER, manners: { gapMs: 0, optOut: [] } },
    ),
  nowUs,
  nextSignal: () => new Promise(() => undefined),
  ...more,
})

onEachEngine('tollbook probe', (engine) => {
  const world = async (answer: Answer) => {
    const options = await engine.empty()
    const store = await openStore(options)
    const paths = ['/402', '/200', '/500', '/gone', '/users/:id']
    const hosts = ['a.example', 'b.example']
    await saveListings(store, {
      listings: hosts.flatMap((host) => paths.map((path) => aListing({ host, path, scheme: 'http' }))),
    })
    await store.close()
    const sellers = await startSellers(withoutRobots(answer))
    open.push(sellers)
    const [out, err]: [string[], string[]] = [[], []]
    const run = (argv: string[], more: Partial<ProbeDeps> = {}, isTTY = false): Promise<number> =>
      probeCommand(doorsTo(sellers, more)).run(argv, {
        allowHosts: [],
        openStore: () => openStore(options),
        sources: [],
        ingesting: () => {
          throw new Error('not needed')
        },
        out: { write: (text) => out.push(text) },
        err: { isTTY, columns: 300, write: (text) => err.push(text) },
      })
    return { run, out, err, sellers, text: () => out.join('') }
  }

  const mixed: Answer = ({ path }, response) => {
    if (path === '/402') payment(response)
    else if (path === '/gone') response.destroy()
    else response.writeHead(Number(path.slice(1))).end()
  }

  it('probes what is due and ends with a table by class and error', async () => {
    const { run, text, err } = await world(mixed)
    expect(await run([], {}, true)).toBe(0)
    expect(text()).toMatch(
      /^result +error +entries\nanswers +no data +2\n402-correct +no data +2\nfailed +no data +2\nunreachable +connection_reset +2\nProbed 8 routes of 2 hosts in \d+ s; 2 not probeable as listed\.\n$/,
    )
    expect(err.join('')).toMatch(/probing.*8 of 8.*402-correct 2 \(\d+\/s\)/)
    expect(err.at(-1)).toBe('\r\u001b[K')
  })

  it('probes nothing again that is not due, and all routes of a host that is named', async () => {
    const { run, text, out, sellers } = await world(mixed)
    await run([])
    out.length = 0
    const before = sellers.seen.length
    expect(await run([])).toBe(0)
    expect(text()).toMatch(/^Probed 0 routes of 0 hosts/)
    expect(await run(['B.Example'])).toBe(0)
    const asked = sellers.seen.slice(before).map(({ host, path }) => `${host}${path}`)
    expect(asked.toSorted()).toEqual(['b.example/200', 'b.example/402', 'b.example/500', 'b.example/gone'])
  })

  it('refuses a host that nobody listed', async () => {
    const { run, sellers } = await world(mixed)
    await expect(run(['nobody.example'])).rejects.toThrow('there is no host nobody.example')
    await expect(run(['127.0.0.1'])).rejects.toThrow('there is no host 127.0.0.1')
    expect(sellers.seen).toEqual([])
  })

  it('ends early at a signal, with what was seen until then', async () => {
    let signal: (name: string) => void = () => undefined
    const told = new Promise<string>((resolve) => {
      signal = resolve
    })
    const { run, text } = await world((request, response) => {
      signal('SIGINT')
      mixed(request, response)
    })
    expect(await run([], { nextSignal: () => told })).toBe(1)
    expect(text()).toMatch(/still due\.\n$/)
  })
})
