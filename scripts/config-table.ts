import { ENVIRONMENT } from '../src/main/settings/environment.ts'
import { tableOf } from './markdown-table.ts'

/** One row for every environment variable, out of the schema that reads them. */
export const configTable = (): string =>
  tableOf(
    ['Variable', 'Default', 'What it does', 'What it takes'],
    Object.entries(ENVIRONMENT.shape).map(([name, schema]) => {
      const { description = '', expected, default: usual } = schema.meta() ?? {}
      const given = typeof usual === 'string' ? `\`${usual}\`` : 'unset'
      return [`\`${name}\``, given, description, String(expected)]
    }),
  )
