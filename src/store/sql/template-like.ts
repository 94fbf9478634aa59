import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** That a template may stand for the asked path: a parameter reaches over no `/`, and one with a query stands for none without. */
export const isShapedLike = (path: RawBuilder<unknown>, asked: string): RawBuilder<SqlBool> =>
  asked.includes('?')
    ? sql`${path} like '%?%'`
    : sql`(${path} not like '%?%' and length(${path}) - length(replace(${path}, '/', '')) = ${sql.lit(asked.split('/').length - 1)})`

/** That a path may be a template; `isTemplate` says which of them are. */
export const isTemplateLike = (path: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`(${path} like '%:%' or ${path} like '%{%' or lower(${path}) like '%7b%')`
