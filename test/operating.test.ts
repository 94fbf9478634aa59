import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startBase } from '../sandbox/chain/base.ts'
import { startFacilitator } from '../sandbox/chain/facilitator.ts'
import { withTables } from '../scripts/write-tables.ts'
import { ENVIRONMENT } from '../src/main/config.ts'
import { temporaryFolder } from './support/engines.ts'
import { ROOT, tollbook } from './support/program.ts'

const read = (file: string): string => readFileSync(resolve(ROOT, file), 'utf8')
const VARIABLES = new Set(Object.keys(ENVIRONMENT.shape))

describe('docs/operating.md', () => {
  it('has the table of variables as the schema has them', () => {
    const page = read('docs/operating.md')
    expect(page).toBe(withTables('docs/operating.md', page))
    for (const name of VARIABLES) expect(page).toContain(`| \`${name}\` |`)
  })
})

describe('files for containers and systemd', () => {
  // No container engine can run here: what can be checked without one is checked.
  it('set only variables that the program reads', () => {
    const compose = read('deploy/compose.yaml')
    const environment = /environment: &environment\n((?: {4}.*\n)+)/.exec(compose)?.[1] ?? ''
    const names = [...environment.matchAll(/^ {4}([A-Z0-9_]+):/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !VARIABLES.has(name ?? ''))).toEqual([])
    const unit = [...read('deploy/tollbook.service').matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(unit).toEqual(['NODE_ENV', 'DATA_DIR'])
  })

  it('copy only what is there, and start the command that the package names', () => {
    const dockerfile = read('deploy/Dockerfile')
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, files]) => files?.split(' ') ?? [],
    )
    expect(copied.length).toBeGreaterThan(5)
    for (const file of copied) expect(() => readFileSync(resolve(ROOT, file))).not.toThrow(/ENOENT/)
    const { bin } = JSON.parse(read('package.json'))
    expect(dockerfile).toContain(`ENTRYPOINT ["node", "/app/${bin.tollbook}"]`)
    expect(read('deploy/tollbook.service')).toContain(`/opt/tollbook/${bin.tollbook} serve`)
  })

  it('use roles that the program has', async () => {
    const roles = [...read('deploy/compose.yaml').matchAll(/"--roles", "(\w+)"/g)].map(([, role]) => role)
    expect(roles).toEqual(['web', 'ingest', 'probe'])
  })
})

describe('tollbook doctor', () => {
  it('finds nothing in the way of a small instance and says what is off', async () => {
    const { code, out } = await tollbook(['doctor'], {
      DATA_DIR: temporaryFolder(),
      SOURCES: 'none',
      PROBE_CHECK: 'none',
      BASE_URL: 'https://directory.example',
    })
    expect(out).toMatch(/^ok {4}configuration +https:\/\/directory\.example$/m)
    expect(out).toMatch(/^ok {4}database +SQLite in /m)
    expect(out).toMatch(/^warn {2}x402 +posts through x402 are off\n +→ set X402_PAY_TO and X402_FACILITATOR_URL$/m)
    expect(out).toMatch(/Nothing is in the way\.\n$/)
    expect(code).toBe(0)
  })

  it('asks facilitator and nodes, and names what is wrong without any secret', async () => {
    const base = await startBase()
    const facilitator = await startFacilitator(base)
    try {
      const env = {
        DATA_DIR: temporaryFolder(),
        SOURCES: 'none',
        PROBE_CHECK: 'none',
        BASE_URL: 'https://directory.example',
        X402_PAY_TO: '0x1111111111111111111111111111111111111111',
        X402_NETWORKS: 'base-sepolia',
        X402_FACILITATOR_URL: facilitator.url,
        RPC_URLS: `eip155:84532=${base.rpcUrl}`,
      }
      const good = await tollbook(['doctor'], env)
      expect(good.out).toMatch(/^ok {4}x402 +posts are paid on eip155:84532$/m)
      expect(good.out).toMatch(/^ok {4}node eip155:84532 +answers$/m)
      expect(good.code).toBe(0)
      const bad = await tollbook(['doctor'], {
        ...env,
        X402_NETWORKS: 'base',
        RPC_URLS: `eip155:8453=${base.rpcUrl},eip155:1=http://127.0.0.1:1/secret-key`,
      })
      expect(bad.out).toMatch(/^FAIL {2}x402 +the facilitator does not settle on eip155:8453$/m)
      expect(bad.out).toMatch(/^FAIL {2}node eip155:8453 +it is the node of chain 84532$/m)
      expect(bad.out).toMatch(/^FAIL {2}node eip155:1 +the node does not answer$/m)
      expect(`${bad.out}${bad.err}`).not.toContain('secret-key')
      expect(bad.code).toBe(1)
    } finally {
      await facilitator.stop()
      await base.stop()
    }
  })
})
