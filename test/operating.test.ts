import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startBase } from '../sandbox/chain/base.ts'
import { startFacilitator } from '../sandbox/chain/facilitator.ts'
import { withTables } from '../scripts/write-tables.ts'
import { ENVIRONMENT } from '../src/main/settings/environment.ts'
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
  it('pass every variable that the program reads, and no other', () => {
    const compose = read('deploy/compose.yaml')
    const environment = /environment: &environment\n((?: {4}.*\n)+)/.exec(compose)?.[1] ?? ''
    const names = [...environment.matchAll(/^ {4}([A-Z0-9_]+):/gm)].map(([, name]) => name)
    // The password stands apart, where the driver of Postgres looks for it; data is in Postgres.
    expect(names.toSorted()).toEqual([...VARIABLES, 'PGPASSWORD'].filter((name) => name !== 'DATA_DIR').toSorted())
    const unit = [...read('deploy/tollbook.service').matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(unit).toEqual(['NODE_ENV', 'DATA_DIR'])
  })

  it('give every container of web a port of its own on the machine', () => {
    const [, ports] =
      /^ {6}- "127\.0\.0\.1:\$\{WEB_PORTS:-(\d+-\d+)\}:\$\{PORT:-8402\}"$/m.exec(read('deploy/compose.yaml')) ?? []
    const [first = 0, last = 0] = (ports ?? '').split('-').map(Number)
    expect(last - first).toBeGreaterThan(1)
  })

  it('start the command that the package names', () => {
    const { bin } = JSON.parse(read('package.json'))
    expect(read('deploy/Dockerfile')).toContain(`ENTRYPOINT ["node", "/app/${bin.tollbook}"]`)
    expect(read('deploy/tollbook.service')).toContain(`/opt/tollbook/${bin.tollbook} serve`)
  })

  it('run commands beside the service as its user, on its store and with its settings', () => {
    const unit = read('deploy/tollbook.service')
    const command = read('deploy/tollbook-command')
    for (const property of ['DynamicUser', 'User', 'StateDirectory', 'EnvironmentFile', 'WorkingDirectory']) {
      const [line = ''] = new RegExp(`^${property}=.+$`, 'm').exec(unit) ?? []
      expect(command).toContain(`--property=${line}`)
    }
    for (const [, variable = ''] of unit.matchAll(/^Environment=(.+)$/gm))
      expect(command).toContain(`--setenv=${variable}`)
    const [, program = ''] = /^ExecStart=(.+) serve$/m.exec(unit) ?? []
    expect(command.trimEnd().endsWith(`${program} "$@"`)).toBe(true)
    expect(execFileSync('sh', ['-n', resolve(ROOT, 'deploy/tollbook-command')], { encoding: 'utf8' })).toBe('')
  })

  it('have the proxy as the document shows it', () => {
    expect(read('docs/operating.md')).toContain(`\`\`\`nginx\n${read('deploy/nginx.conf')}\`\`\``)
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
    expect(out).toMatch(/^ok {4}database +no store in .+ yet: the first start makes it$/m)
    expect(out).toMatch(/^warn {2}x402 +posts through x402 are off\n +→ set X402_PAY_TO and X402_FACILITATOR_URL$/m)
    expect(out).toMatch(/^3 warnings, nothing in the way\.\n$/m)
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
