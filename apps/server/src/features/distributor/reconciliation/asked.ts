import { type SQL, sql } from 'drizzle-orm'

/** A period of whole months of an operation. */
export type OperationPeriod = { operationId: string; from: string; to: string }

export const toPeriodTable = (periods: OperationPeriod[]): SQL => sql`unnest(
  ${sql.param(periods.map(({ operationId }) => operationId))}::uuid[], ${sql.param(periods.map(({ from }) => from))}::date[],
  ${sql.param(periods.map(({ to }) => to))}::date[]) as q(operation_id, lo, hi)`
