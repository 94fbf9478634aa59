import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** That a template has a query: it stands for no path without one. */
export const hasQuery = (path: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`${path} like '%?%'`

/** That a template without a query may stand for a path of so many slashes: a parameter reaches over none. */
export const isShapedLike = (path: RawBuilder<unknown>, slashes: number): RawBuilder<SqlBool> =>
  sql`(not ${hasQuery(path)} and length(${path}) - length(replace(${path}, '/', '')) = ${slashes})`

/** That a path may be a template; `isTemplate` says which of them are. */
export const isTemplateLike = (path: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`(${path} like '%:%' or ${path} like '%{%' or lower(${path}) like '%7b%' or ${path} like '%/[%' or ${path} like '%/*%')`
