import { sql } from 'drizzle-orm'
import type { Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'

export type EffectiveRun = {
  id: string
  kind: 'provisional' | 'definitive'
  from: string
  to: string
  resultHash: string
  /** Why its figures are outdated; empty when they are not. */
  stale: string
  keys: { id: string; number: number }[]
}
type Row = { day: string; runId: string }

/** The run in force on each day of the month, and the list of these runs. */
export async function loadEffectiveRuns(
  db: Db,
  companyId: number,
  operationId: string,
  { from, to }: Period,
): Promise<{ byDay: Map<string, string>; runs: EffectiveRun[] }> {
  const { rows } = await db.execute<Row>(sql`
    select day::text, run_id as "runId" from allocation_coverage
     where company_id = ${companyId} and operation_id = ${operationId} and day >= ${from} and day < ${to}`)
  const ids = [...new Set(rows.map(({ runId }) => runId))]
  const { rows: runs } = await db.execute<EffectiveRun>(sql`
    select id, kind, starts_on::text as from, ends_on::text as to, coalesce(result_hash, '') as "resultHash",
           case when stale_at is null then '' else coalesce(nullif(stale_reason, ''), 'Des données ont changé depuis.') end as stale,
           key_ids as keys
      from allocation_runs where company_id = ${companyId} and id = any(${sql.param(ids)}::uuid[])
     order by starts_on, id`)
  return { byDay: new Map(rows.map(({ day, runId }) => [day, runId])), runs }
}
