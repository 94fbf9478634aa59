import type { LogView } from '../../views/log-view.ts'
import { codeSpan, fenced } from '../markdown/quote.ts'
import type { Site } from '../site.ts'
import {
  DOES_NOT_PROVE,
  LOG_LEAD,
  LOG_TITLE,
  logCommands,
  logFacts,
  logNotices,
  PROVES,
  VERIFY_NOTE,
} from './page-words.ts'

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

export function logMarkdown(site: Site, view: LogView): string {
  const blocks = [
    `# ${LOG_TITLE}`,
    LOG_LEAD,
    ...logNotices(view),
    list(logFacts(view).map(([name, value]) => `${name}: ${codeSpan(value)}`)),
    '## Verify it',
    VERIFY_NOTE,
    fenced(logCommands(site, view).join('\n'), 'bash'),
    '## What it proves',
    list(PROVES),
    '## What it does not prove',
    list(DOES_NOT_PROVE),
  ]
  return `${blocks.join('\n\n')}\n`
}
