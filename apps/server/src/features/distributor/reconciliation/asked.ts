import { type SQL, sql } from 'drizzle-orm'

/** Days of an operation: the first of a month to the first of another. */
export type Asked = { operationId: string; from: string; to: string }

export const askedTable = (asked: Asked[]): SQL => sql`unnest(
  ${sql.param(asked.map(({ operationId }) => operationId))}::uuid[], ${sql.param(asked.map(({ from }) => from))}::date[],
  ${sql.param(asked.map(({ to }) => to))}::date[]) as q(operation_id, lo, hi)`
