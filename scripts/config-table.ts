import { ENVIRONMENT } from '../src/main/config.ts'

/** One row for every environment variable, out of the schema that reads them. */
export function configTable(): string {
  const rows = Object.entries(ENVIRONMENT.shape).map(([name, schema]) => {
    const { description = '', expected, default: usual } = schema.meta() ?? {}
    const given = typeof usual === 'string' ? `\`${usual}\`` : 'unset'
    return `| \`${name}\` | ${given} | ${cell(description)} | ${cell(String(expected))} |`
  })
  return ['| Variable | Default | What it does | What it takes |', '|---|---|---|---|', ...rows].join('\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
