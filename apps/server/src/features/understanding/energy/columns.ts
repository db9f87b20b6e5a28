import { type Param, sql } from 'drizzle-orm'

/** An array for `unnest` or `any`. Ids, days and numbers need no escaping, which the driver would check for each. */
export const toSqlArray = (values: (string | number | null)[]): Param =>
  sql.param(`{${values.map((value) => value ?? 'null').join(',')}}`)
