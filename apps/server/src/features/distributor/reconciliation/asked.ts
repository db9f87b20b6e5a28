import { type SQL, sql } from 'drizzle-orm'

/** Days of an operation: the first of a month to the first of another. */
export type OperationPeriod = { operationId: string; from: string; to: string }

export const toPeriodTable = (periods: OperationPeriod[]): SQL => sql`unnest(
  ${sql.param(periods.map(({ operationId }) => operationId))}::uuid[], ${sql.param(periods.map(({ from }) => from))}::date[],
  ${sql.param(periods.map(({ to }) => to))}::date[]) as q(operation_id, lo, hi)`
