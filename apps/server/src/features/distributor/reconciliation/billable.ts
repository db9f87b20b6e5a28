import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { chooseDefinitiveQuantity, loadDistributorPeriods } from './their-months.ts'

/** A quantity of a consumer from the distributor, by time class of the grid tariff or other name. */
export type BillableRow = { pointId: string; class: string; from: string; to: string; wh: number }
type OperationMonth = { operationId: string; from: string; to: string }
type Row = Omit<BillableRow, 'wh'> & { source: string; calendar: string; wh: string }

/**
 * For each point, the current quantities of the month from a single source. A period that crosses the end of the month
 * cannot be split exactly: it is reported and left out.
 */
export async function loadBillableRows(
  db: Db,
  companyId: number,
  month: OperationMonth,
  due: ReadonlyMap<string, string[]>,
) {
  const periods = Map.groupBy(await loadDistributorPeriods(db, companyId, [month]), ({ pointId }) => pointId)
  const { rows } = await db.execute<Row>(sql`
    select point_id as "pointId", name as class, from_day::text as from, to_day::text as to, source, calendar, wh
      from distributor_quantities
     where company_id = ${companyId} and type = 'autocons' and superseded_at is null
       and point_id = any(${sql.param([...due.keys()])}::uuid[]) and from_day < ${month.to} and to_day > ${month.from}
     order by point_id, from_day, name`)
  const chosen = [...due].flatMap(
    ([pointId, days]) => chooseDefinitiveQuantity(periods.get(pointId) ?? [], days)?.periods ?? [],
  )
  const getPeriodKey = (of: Omit<Row, 'class' | 'wh'>) =>
    JSON.stringify([of.pointId, of.from, of.to, of.source, of.calendar])
  const kept = new Set(chosen.map(getPeriodKey))
  const beyond = rows.filter(({ from, to }) => from < month.from || to > month.to)
  return {
    rows: rows
      .filter((row) => kept.has(getPeriodKey(row)))
      .map(
        ({ pointId, class: name, from, to, wh }): BillableRow => ({ pointId, class: name, from, to, wh: Number(wh) }),
      ),
    beyond: [
      ...new Map(beyond.map(({ pointId, from, to }) => [`${pointId} ${from} ${to}`, { pointId, from, to }])).values(),
    ],
  }
}
