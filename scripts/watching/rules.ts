import { ALERTS, type Alert, RECORDED } from './alerts.ts'

/** Any text as YAML reads it back. */
const quoted = (text: string): string => JSON.stringify(text)

const alertRule = ({ name, expr, for: time, severity, summary, explain }: Alert): string[] => [
  `      - alert: ${name}`,
  `        expr: ${quoted(expr)}`,
  `        for: ${time}`,
  '        labels:',
  `          severity: ${severity}`,
  '        annotations:',
  `          summary: ${quoted(summary)}`,
  `          explain: ${quoted(explain)}`,
]

/** `deploy/alerts.yml`. */
export function rulesFile(): string {
  const recorded = Object.entries(RECORDED).flatMap(([record, expr]) => [
    `      - record: ${record}`,
    `        expr: ${quoted(expr)}`,
  ])
  return [
    '# Alerts of Tollbook for Prometheus, written by `node dist/scripts/write-watching.js`; docs/operating.md explains each.',
    '# Processes are expected under the job tollbook, as in deploy/prometheus.yml.',
    'groups:',
    '  - name: tollbook',
    '    rules:',
    ...recorded,
    ...ALERTS.flatMap(alertRule),
    '',
  ].join('\n')
}
