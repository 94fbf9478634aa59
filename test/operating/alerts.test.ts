import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ALERTS, RECORDED } from '../../scripts/watching/alerts.ts'
import { ROWS } from '../../scripts/watching/dashboard.ts'
import { WATCHING } from '../../scripts/write-watching.ts'
import { METRICS } from '../../src/main/watching/list.ts'
import { programOf } from '../support/debian.ts'
import { temporaryFolder } from '../support/engines.ts'
import { ROOT } from '../support/program.ts'
import { healthyDay } from './healthy-day.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const SHOWN = Object.values(ROWS).flatMap((row) => row.flatMap(({ shows }) => Object.keys(shows)))
const EXPRESSIONS = [...ALERTS.map(({ expr }) => expr), ...Object.values(RECORDED), ...SHOWN]

/** Names of ours in an expression; a histogram's series have its name with an ending. */
const metricsIn = (expr: string): string[] =>
  [...expr.matchAll(/\btollbook_[a-z_]+\b/g)].map(([name]) => name.replace(/_seconds_bucket$/, '_seconds'))

describe('alerts and dashboard', () => {
  it('are the files that the list gives', () => {
    for (const [file, made] of Object.entries(WATCHING)) {
      const hint = 'run npm run build && node dist/scripts/write-watching.js'
      // How JSON is laid out is the formatter's.
      if (file.endsWith('.json')) expect(JSON.parse(read(file)), hint).toEqual(JSON.parse(made()))
      else expect(read(file), hint).toBe(made())
    }
  })

  it('name metrics that the program has, and show every one of them', () => {
    const named = new Set(EXPRESSIONS.flatMap(metricsIn))
    expect([...named].filter((name) => !Object.hasOwn(METRICS, name))).toEqual([])
    const shown = new Set(SHOWN.flatMap(metricsIn))
    expect(Object.keys(METRICS).filter((name) => !shown.has(name))).toEqual([])
  })

  it('never add up what every process reads from the store', () => {
    const directory = Object.entries(METRICS).flatMap(([name, { of }]) => (of === 'directory' ? [name] : []))
    const sums = EXPRESSIONS.filter((expr) =>
      directory.some((name) => new RegExp(`(sum|count)[^()]*\\(${name}\\b`).test(expr)),
    )
    expect(sums).toEqual([])
  })

  it('are explained in docs/operating.md, each by its name', () => {
    const page = read('docs/operating.md')
    expect(ALERTS.filter(({ name }) => !page.includes(`\`${name}\``)).map(({ name }) => name)).toEqual([])
  })
})

const promtool = programOf('prometheus', 'usr/bin/promtool')

describe.skipIf(promtool === undefined)('alerts, as Prometheus reads them', () => {
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'alerts.yml'), read('deploy/alerts.yml'))

  const run = (...words: string[]): string => {
    try {
      return execFileSync(promtool ?? '', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      throw new Error(error instanceof Error && 'stderr' in error ? `${error.message}\n${error.stderr}` : String(error))
    }
  }

  /** Which alerts fire at these times; JSON is YAML too. */
  const firing = (series: Readonly<Record<string, string>>, expected: Readonly<Record<string, readonly string[]>>) => {
    const tests = {
      rule_files: ['alerts.yml'],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          promql_expr_test: Object.entries(expected).map(([time, names]) => ({
            expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: time,
            exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
          })),
        },
      ],
    }
    writeFileSync(join(folder, 'tests.yml'), JSON.stringify(tests))
    return run('test', 'rules', 'tests.yml')
  }

  it('are rules', () => {
    expect(run('check', 'rules', 'alerts.yml')).toContain(`${ALERTS.length + Object.keys(RECORDED).length} rules found`)
  })

  it('have expressions in the dashboard that can be evaluated', () => {
    const rules = SHOWN.map((expr, at) => ({ record: `shown:${at}`, expr }))
    writeFileSync(join(folder, 'shown.yml'), JSON.stringify({ groups: [{ name: 'shown', rules }] }))
    expect(run('check', 'rules', 'shown.yml')).toContain(`${rules.length} rules found`)
  })

  it('belong to the configuration of Prometheus that is given', () => {
    writeFileSync(join(folder, 'prometheus.yml'), read('deploy/prometheus.yml'))
    expect(run('check', 'config', 'prometheus.yml')).toContain('is valid prometheus config file syntax')
  })

  it('are silent on a healthy day', () => {
    const everyHour = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [`${hour + 1}h`, []]))
    expect(firing(healthyDay(), everyHour)).toContain('SUCCESS')
  })

  it.each(ALERTS)('$name fires by the fault it is for, and not before', ({ name, fault }) => {
    const series = { ...healthyDay(), ...fault }
    expect(Object.keys(series).length, 'the fault is one of a series of the healthy day').toBe(
      Object.keys(healthyDay()).length,
    )
    expect(firing(series, { '29m': [], '4h': [name] })).toContain('SUCCESS')
  })
})
