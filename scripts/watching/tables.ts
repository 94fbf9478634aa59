import { METRICS, type MetricEntry } from '../../src/main/watching/list.ts'
import { tableOf } from '../markdown-table.ts'
import { ALERTS } from './alerts.ts'

/** One row for every metric, out of the list that the program serves. */
export const metricsTable = (): string =>
  tableOf(
    ['Metric', 'What', 'Of'],
    Object.entries<MetricEntry>(METRICS).map(([name, { labels, help, of }]) => [
      `\`${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`}\``,
      help,
      of === 'process' ? 'this process' : 'the directory',
    ]),
  )

/** One row for every alert of `deploy/alerts.yml`. */
export const alertsTable = (): string =>
  tableOf(
    ['Alert', 'When', 'For', 'What explains it'],
    ALERTS.map(({ name, severity, expr, summary, explain, for: time }) => [
      `\`${name}\` (${severity})`,
      `${summary} \`${expr}\``,
      time,
      explain,
    ]),
  )
