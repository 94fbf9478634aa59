import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { onEachEngine } from '../support/engines.ts'
import { freePort } from '../support/postgres.ts'
import { processTable } from '../support/process-table.ts'
import { descendants } from '../support/processes.ts'
import { type Running, serving, tollbook } from '../support/program.ts'
import { aListing, evidence } from '../support/samples.ts'
import { asking, TOO_LATE, workersIn } from './asking.ts'

const HOST = 'api.seller.example'
const PATIENCE = { timeout: 30_000, interval: 50 }

const aReview = (text: string) => ({
  ...{ method: 'GET', url: `https://${HOST}/v1/weather`, rail: 'x402', rating: 4, text },
})

onEachEngine('web workers that share a port', (engine) => {
  let options: StoreOptions
  let env: Record<string, string | undefined>
  let server: Running

  const start = async (more: Record<string, string>): Promise<Running> =>
    serving({ ...env, WEB_WORKERS: '2', PROBE_CHECK: 'none', PROBE_OPT_OUT: '*.example', ...more })

  // Three processes a start: one program serves all tests that can share it, the last of which ends it.
  beforeAll(async () => {
    options = await engine.emptyForAll()
    env = { DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl, BIND: '127.0.0.1' }
    const store = await openStore(options)
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    await store.close()
    server = await start({ LOG_LEVEL: 'info' })
  })

  afterAll(async () => {
    await server.stop()
  })

  const workersOf = async (ask: ReturnType<typeof asking>) => JSON.parse((await ask.get('/readyz')).body).web_workers
  const workersBelow = ({ child }: Running): number[] => descendants(child.pid ?? 0)

  it('show what was written through one of them in all of them', async () => {
    const workerOf = workersIn(server)
    const ask = asking(server.address)
    const written = await ask.post('/v1/reviews', aReview('Fast.'))
    expect(written.status).toBe(201)
    const seen = new Map<number, number>()
    let n = 0
    const look = async (): Promise<[number, number][]> => {
      const id = `look-${n++}`
      // As nobody has asked before: what is answered out of the cache at once has no line in the log.
      const { body } = await ask.get(`/v1/hosts/${HOST}`, { 'x-request-id': id, accept: `application/json, x/${id}` })
      await expect.poll(() => workerOf(id), PATIENCE).toBeDefined()
      seen.set(workerOf(id) ?? 0, JSON.parse(body).routes[0].reviews_total)
      return [...seen].toSorted(([a], [b]) => a - b)
    }
    await expect.poll(look, PATIENCE).toEqual([
      [1, 1],
      [2, 1],
    ])
  })

  it('lose nothing that was acknowledged when one of them is killed under load, and go on', async () => {
    const ask = asking(server.address)
    const acknowledged = new Set<string>()
    let refused = 0
    const unanswered: string[] = []
    let isOver = false
    const writer = async (name: string): Promise<void> => {
      for (let n = 0; !isOver; n += 1) {
        const words = `Review ${n} of ${name}.`
        const { status } = await ask.post('/v1/reviews', aReview(words)).catch(({ message }: Error) => {
          if (message === TOO_LATE) unanswered.push(words)
          return { status: 0 }
        })
        if (status === 201) acknowledged.add(words)
        else refused += 1
      }
    }
    const writing = ['a', 'b', 'c', 'd'].map(writer)
    await expect.poll(() => acknowledged.size, PATIENCE).toBeGreaterThan(20)
    const [victim = 0] = workersBelow(server)
    process.kill(victim, 'SIGKILL')
    const then = acknowledged.size
    await expect.poll(() => acknowledged.size, PATIENCE).toBeGreaterThan(then + 20)
    await expect.poll(() => workersOf(ask), PATIENCE).toEqual({ serving: 2, of: 2 })
    await expect.poll(() => workersBelow(server).length, PATIENCE).toBe(2)
    isOver = true
    await Promise.all(writing)
    // Those that the killed one had in hand, and those on their way to it: they are told at once.
    expect(unanswered).toEqual([])
    expect(refused).toBeLessThan(writing.length * 2)
    const store = await openStore(options)
    const stored = await store.read.selectFrom('reviews').select('text').execute()
    await store.close()
    const texts = stored.map(({ text }) => text)
    expect([...acknowledged].filter((words) => !texts.includes(words))).toEqual([])
    expect(new Set(texts).size).toBe(texts.length)
    expect((await tollbook(['verify'], env)).out).toBe('Verified 1 host, 0 differences.\n')
  })

  it('are ready when the first of them serves, and count on when one of them is slow or killed', async () => {
    const port = await freePort()
    const watch = asking(`http://127.0.0.1:${port}`)
    const starting = start({ METRICS_PORT: String(port) })
    const answers: { status: number; web_workers: { serving: number; of: number } }[] = []
    const look = async (): Promise<number> => {
      const { status, body } = await watch.get('/readyz').catch(() => ({ status: 0, body: '' }))
      if (status !== 0) answers.push({ status, web_workers: JSON.parse(body).web_workers })
      return status
    }
    await expect.poll(look, { ...PATIENCE, interval: 10 }).toBe(200)
    expect(answers[0]).toEqual({ status: 503, web_workers: { serving: 0, of: 2 } })
    expect(answers.at(-1)?.web_workers.serving).toBeGreaterThan(0)

    const counting = await starting
    const ask = asking(counting.address)
    const asked = 20
    for (let n = 0; n < asked; n += 1) expect((await ask.get(`/v1/hosts?x=${n}`)).status).toBe(200)
    const counted = async (): Promise<number[]> => {
      const { body } = await watch.get('/metrics')
      const counters = [
        /^tollbook_requests_total\{method="GET",status="200",.* (\d+)$/gm,
        /^\S+_request_seconds_count (\d+)$/gm,
      ]
      return counters.map((one) => [...body.matchAll(one)].reduce((sum, [, n]) => sum + Number(n), 0))
    }
    await expect.poll(counted, PATIENCE).toEqual([asked, asked])
    const [slow = 0, killed = 0] = workersBelow(counting)
    process.kill(slow, 'SIGSTOP')
    const whileSlow = await counted()
    process.kill(slow, 'SIGCONT')
    expect(whileSlow).toEqual([asked, asked])
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => workersBelow(counting).includes(killed), PATIENCE).toBe(false)
    expect(await counted()).toEqual([asked, asked])
    await expect.poll(() => workersOf(watch), PATIENCE).toEqual({ serving: 2, of: 2 })
    expect(await counted()).toEqual([asked, asked])
    const { out } = await counting.stop()
    expect(out).toContain('a web worker ended, another is started')
    expect(out).not.toContain('could not start')
  })

  it('hold an address to its limits together, and so does one that is started later', async () => {
    const reads = 90
    const limited = await start({ RATE_LIMITS: `reads=${reads}/h` })
    const ask = asking(limited.address)
    const opened = []
    for (let n = 0; n < 16; n += 1) {
      const answer = await ask.stream('/v1/events')
      if (answer.statusCode === 200) opened.push(answer)
      else answer.resume()
      await wait(20)
    }
    for (const answer of opened) answer.destroy()
    // Told at once, heard a moment later.
    expect(opened.length).toBeGreaterThanOrEqual(8)
    expect(opened.length).toBeLessThan(12)

    let allowed = 16
    for (let refused = 0; refused < 4; ) {
      const { status } = await ask.get('/v1/hosts')
      if (status === 200) allowed += 1
      else refused += 1
      await wait(5)
    }
    expect(allowed).toBeGreaterThanOrEqual(reads)
    expect(allowed).toBeLessThan(1.5 * reads)

    const [victim = 0] = workersBelow(limited)
    process.kill(victim, 'SIGKILL')
    await expect.poll(() => workersBelow(limited).filter((id) => id !== victim).length, PATIENCE).toBe(2)
    await expect.poll(() => workersOf(ask), PATIENCE).toEqual({ serving: 2, of: 2 })
    const after = await Promise.all([1, 2, 3, 4].map(() => ask.get('/v1/hosts')))
    expect(after.map(({ status }) => status)).toEqual([429, 429, 429, 429])
    await limited.stop()
  })

  it('say why when the port is taken, and end with the process that leads them, told or killed', async () => {
    const first = workersBelow(server)
    expect(first).toHaveLength(2)
    const { port } = new URL(server.address)
    const { code, err } = await tollbook(['serve'], { ...env, PORT: port, WEB_WORKERS: '2', SOURCES: 'none' })
    expect([code, err]).toEqual([1, `tollbook: port ${port} is in use; set PORT to another one\n`])
    expect((await server.stop('SIGTERM')).code).toBe(0)
    const next = await start({})
    const second = workersBelow(next)
    expect(second).toHaveLength(2)
    await next.stop('SIGKILL')
    const left = () => processTable().filter(({ pid }) => [...first, ...second].includes(pid))
    await expect.poll(left, PATIENCE).toEqual([])
  })
})
