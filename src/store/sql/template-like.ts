import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** That a path may be a template; `isTemplate` says which of them are. */
export const isTemplateLike = (path: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`(${path} like '%:%' or ${path} like '%{%' or lower(${path}) like '%7b%')`
