import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { descendants } from '../support/processes.ts'
import { cleanEnvironment, ended, joined, listening, type Running, tollbook } from '../support/program.ts'

const PATIENCE_MS = 120_000

const launch = (folder: string, argv: readonly string[] = []): ChildProcess =>
  spawn(process.execPath, [joined('sandbox'), ...argv], { cwd: folder, env: cleanEnvironment({ PORT: '0' }) })

const isAlive = (pid: number): boolean => {
  try {
    // A process that nobody has waited for yet is not running any more.
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** What has ended meanwhile is none. */
function orNone<T>(look: () => T[]): T[] {
  try {
    return look()
  } catch {
    return []
  }
}

const linkOf = (pid: number, fd: string): string[] => orNone(() => [readlinkSync(`/proc/${pid}/fd/${fd}`)])

/** Ports on which any of these processes listens. */
function portsOf(pids: readonly number[]): number[] {
  const sockets = new Set(
    pids.flatMap((pid) => orNone(() => readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(pid, fd)))),
  )
  const LISTENING = '0A'
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((cells) => cells[3] === LISTENING && sockets.has(`socket:[${cells[9]}]`))
      .map((cells) => Number.parseInt(cells[1]?.split(':')[1] ?? '', 16)),
  )
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )

async function gone(pids: readonly number[]): Promise<boolean> {
  for (let look = 0; look < 100; look += 1) {
    if (!pids.some(isAlive)) return true
    await wait(100)
  }
  return false
}

const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

describe('npm start', () => {
  let world: Running
  let folder: string
  let story = ''
  const text = async (path: string): Promise<string> => (await fetch(`${world.address}${path}`)).text()
  const json = async (path: string) => JSON.parse(await text(path))

  beforeAll(async () => {
    folder = temporaryFolder()
    const child = launch(folder)
    child.stdout?.on('data', (chunk) => {
      story += chunk
    })
    world = await listening(child)
  }, PATIENCE_MS)

  afterAll(async () => {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('tells what it does, how long it took and what to try', () => {
    expect(story).toMatch(/✓ A chain for x402: eip155:84532/)
    expect(story).toMatch(/✓ Agents buy from sellers and review them: \d+ Verified buyer, \d+ Signed, \d+ Unsigned/)
    expect(story).toMatch(
      /✓ An agent asks before it pays a lying seller: nothing signed\. The price of 0\.050000 is above the listed 0\.010000\./,
    )
    expect(story).toMatch(
      /✓ A seller turns one of the two probers away: requested payment from eu-1; refused from ap-1 since [\d-]+ [\d:]+ \(HTTP 403, Cloudflare\)/,
    )
    expect(story).toMatch(/✓ Agents pay for posts: 3 posts on both rails/)
    expect(story).toMatch(/✓ Sellers claim their pages, answer, dispute, retire and move: 5 statements/)
    const told = /First useful page after [\d.]+ s, the complete world after [\d.]+ s\./.exec(story)?.[0]
    expect(told).toBeDefined()
    process.stdout.write(`${told}\n`)
  })

  it('says on every page that it is a sandbox', async () => {
    for (const path of ['/', '/hosts/weather.seller.test', '/sources', '/policy', '/nothing-here']) {
      const page = await (await fetch(`${world.address}${path}`, { headers: { accept: 'text/html' } })).text()
      expect(page.includes('play money'), path).toBe(true)
    }
  })

  it(
    'shows all four result classes',
    async () => {
      let line = ''
      for (let look = 0; look < 300; look += 1) {
        const { probe_history: history } = await json('/v1/hosts/flaky.seller.test')
        line = history.summary
        if (!/(?<!\d)0 /.test(line)) break
        await wait(500)
      }
      expect(line).toMatch(/^[1-9]\d* answers · [1-9]\d* 402-correct · [1-9]\d* failed · [1-9]\d* unreachable$/)
    },
    PATIENCE_MS,
  )

  it('finds something for each word that the search suggests', async () => {
    const hint = /placeholder="(weather, cheap image api), api\.example\.com"/.exec(await text('/?format=html'))?.[1]
    const found = (hint ?? '').split(', ').map(async (words) => {
      const { hosts } = await json(`/v1/hosts?q=${encodeURIComponent(words)}`)
      return hosts.map(({ host }: { host: string }) => host)
    })
    expect(await Promise.all(found)).toEqual([['weather.seller.test'], ['sketch.seller.test', 'pictures.seller.test']])
  })

  it('shows sellers of every manner', async () => {
    const result = async (host: string) => (await json(`/v1/hosts/${host}.seller.test`)).routes[0].probes[0]
    expect((await result('locked')).http_status).toBe(401)
    expect((await result('gone')).http_status).toBe(404)
    expect((await result('picky')).http_status).toBe(415)
    expect((await result('free')).http_status).toBe(200)
    expect((await result('unreachable')).result).toBe('unreachable')
    expect((await result('garbled')).challenge.warnings).toContain('malformed')
    expect((await json('/v1/hosts/templates.seller.test')).counters.machine_evidence_rows).toBe(0)
    expect(
      (await json('/v1/hosts/both-rails.seller.test')).routes.map((route: { rail: string }) => route.rail),
    ).toEqual(['mpp', 'x402'])
  })

  it('shows a verified route, one that differs and two sources that disagree', async () => {
    const status = async (host: string) => (await json(`/v1/hosts/${host}.seller.test`)).routes[0].probe_status
    expect(await status('weather')).toBe('verified')
    expect(await status('quotes')).toBe('verified')
    expect(await status('translate')).toBe('verified')
    expect(await status('dearer')).toBe('differs')
    const disagreeing = await json('/v1/hosts/disagree.seller.test')
    expect(new Set(disagreeing.routes[0].listings.map((row: { price: string }) => row.price))).toEqual(
      new Set(['0.010000', '0.250000']),
    )
  })

  it('shows a price that its seller has signed, and one that is above what its seller signed', async () => {
    const forecast = '/hosts/weather.seller.test/route?method=GET&path=/v1/forecast&rail=x402&format=json'
    const { signed_offers: honest, contradictions: none } = await json(forecast)
    expect(honest[0].line).toMatch(/^0\.020000 on eip155:84532 to 0x\w{40}: signed by the seller until /)
    expect(none ?? []).toEqual([])
    const liar = await json('/hosts/breaks-its-word.seller.test/route?method=GET&path=/quote&rail=x402&format=json')
    expect(liar.contradictions[0].line).toMatch(/^The seller signed 0\.010000 /)
  })

  it('shows sellers who answer a review, dispute a listing, retire a route and move a host', async () => {
    const host = (name: string) => json(`/v1/hosts/${name}.seller.test`)
    const weather = await host('weather')
    expect(weather.seller.claims[0].proofs.map(({ proof }: { proof: string }) => proof)).toContain('ownership')
    const replies = weather.routes.flatMap(({ reviews }: { reviews: { reply?: { text: string } }[] }) =>
      reviews.flatMap(({ reply }) => (reply ? [reply.text] : [])),
    )
    expect(replies).toEqual(['Five days are back since this morning; sorry.'])
    expect((await host('disagree')).routes[0].seller_says[0].kind).toBe('correct')
    expect((await host('gone')).routes[0].retired.line).toMatch(/^Retired by the seller on /)
    expect((await host('picky')).seller.retired.moved_to).toBe('quotes.seller.test')
    expect((await json('/v1/hosts?q=picky')).hosts).toEqual([])
    expect((await json('/v1/hosts?q=picky&retired=with')).hosts).toHaveLength(1)
  })

  it('shows reviews of all three levels, and those that do not count under their reason', async () => {
    const { reviews } = await json('/v1/hosts/weather.seller.test/reviews')
    const levels = new Set(reviews.map((review: { level: string }) => review.level))
    expect(levels).toEqual(new Set(['Verified buyer', 'Signed', 'Unsigned']))
    const founder = reviews.find((review: { excluded: string | null }) => review.excluded === 'founder')
    expect(founder.counts_as_agent_review).toBe(false)
    const own = (await json('/v1/hosts/insider.seller.test/reviews')).reviews[0]
    expect(own.excluded).toBe('self-generated')
    expect((await json('/v1/hosts/insider.seller.test')).counters.agent_reviews).toBe(0)
  })

  it('shows posts paid on both rails', async () => {
    const { posts } = await json('/v1/thread/weather.seller.test')
    expect(posts.map((post: { rail: string }) => post.rail)).toEqual(['x402', 'mpp'])
    for (const post of posts) expect(post.payment.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('takes the three things to try as they are printed', async () => {
    const [, markdown = ''] = /(curl -s -H 'Accept[^\n]+)/.exec(story) ?? []
    expect(execFileSync('sh', ['-c', markdown], { encoding: 'utf8' })).toContain('# weather.seller.test')
    const [, review = ''] = /(curl -s -X POST[^\n]+\\\n[^\n]+)/.exec(story) ?? []
    expect(JSON.parse(execFileSync('sh', ['-c', review], { encoding: 'utf8' })).level).toBe('Unsigned')
    const [, keyFile = ''] = /--key-file (\S+)/.exec(story) ?? []
    const posted = await tollbook(
      [
        'post',
        'weather.seller.test',
        '--text',
        'My first post.',
        '--to',
        world.address,
        '--key-file',
        keyFile,
        '--yes',
      ],
      {},
      folder,
    )
    expect(posted.err).toBe('')
    expect(posted.code).toBe(0)
    expect((await json('/v1/thread/weather.seller.test')).total).toBe(3)
  })

  it(
    'keeps probing',
    async () => {
      const rows = async () => (await json('/v1/hosts/weather.seller.test')).counters.machine_evidence_rows
      const before = await rows()
      for (let look = 0; look < 300 && (await rows()) === before; look += 1) await wait(200)
      expect(await rows()).toBeGreaterThan(before)
    },
    PATIENCE_MS,
  )

  it('needs less than 1.2 GB for everything', () => {
    const pid = world.child.pid ?? 0
    const used = [pid, ...descendants(pid)].reduce((sum, each) => sum + residentMb(each), 0)
    process.stdout.write(`The complete world uses ${Math.round(used)} MB.\n`)
    expect(used).toBeLessThan(1_200)
  })

  it(
    'leaves nothing behind and goes on where it was when started again',
    async () => {
      const pid = world.child.pid ?? 0
      const pids = [pid, ...descendants(pid)]
      const ports = portsOf(pids)
      expect(ports.length).toBeGreaterThanOrEqual(5)
      expect((await world.stop('SIGINT')).code).toBe(0)
      expect(await gone(pids)).toBe(true)
      for (const port of ports) expect(await answers(port), `port ${port}`).toBe(false)
      world = await listening(launch(folder))
      expect((await json('/v1/thread/weather.seller.test')).total).toBe(3)
      expect((await json('/v1/hosts/translate.seller.test/reviews')).reviews[0].level).toBe('Verified buyer')
    },
    PATIENCE_MS,
  )

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'leaves nothing behind after %s',
    async (signal) => {
      const elsewhere = temporaryFolder()
      const child = launch(elsewhere)
      const end = ended(child)
      // In the middle of opening.
      await new Promise<void>((resolve) =>
        child.stdout?.on('data', (chunk) => /facilitator/.test(String(chunk)) && resolve()),
      )
      const pids = [child.pid ?? 0, ...descendants(child.pid ?? 0)]
      const ports = portsOf(pids)
      expect(ports.length).toBeGreaterThanOrEqual(2)
      child.kill(signal)
      await end
      expect(await gone(pids)).toBe(true)
      for (const port of ports) expect(await answers(port), `port ${port}`).toBe(false)
      rmSync(elsewhere, { recursive: true, force: true })
    },
    PATIENCE_MS,
  )
})
