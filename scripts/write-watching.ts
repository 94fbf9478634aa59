import { writeFileSync } from 'node:fs'
import { dashboardFile } from './watching/dashboard.ts'
import { rulesFile } from './watching/rules.ts'

/** Files for those who watch an instance, made from the list of metrics and alerts. */
export const WATCHING: Readonly<Record<string, () => string>> = {
  'deploy/alerts.yml': rulesFile,
  'deploy/grafana.json': dashboardFile,
}

if (process.argv[1]?.endsWith('write-watching.js')) {
  for (const [file, made] of Object.entries(WATCHING)) writeFileSync(file, made())
}
