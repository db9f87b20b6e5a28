import { type Param, sql } from 'drizzle-orm'

/** A list for `unnest` or `any`. Ids, days and numbers hold nothing to escape, which the driver would look for in each. */
export const toSqlArray = (values: (string | number | null)[]): Param =>
  sql.param(`{${values.map((value) => value ?? 'null').join(',')}}`)
