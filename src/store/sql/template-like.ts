import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** That a template has a query: it stands for no path without one. */
export const hasQuery = (path: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`${path} like '%?%'`

/** That a template without a query may stand for a path of so many slashes: a parameter reaches over none. */
export const isShapedLike = (path: RawBuilder<unknown>, slashes: number): RawBuilder<SqlBool> =>
  sql`(not ${hasQuery(path)} and length(${path}) - length(replace(${path}, '/', '')) = ${slashes})`

/** Signs of parameters, escaped and as they are. */
const SIGNS = [':', '{', '<', '[', '*', '!%7b', '!%3c', '!%5b']

/** That a path may be a template; `isTemplate` says which of them are. */
export const isTemplateLike = (path: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    SIGNS.map((sign) => sql`lower(${path}) like ${sql.lit(`%${sign}%`)} escape '!'`),
    sql` or `,
  )})`
