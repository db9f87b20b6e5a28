import type { Cells } from '@voisol/money/input'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'

type Row = { runId: string; producerId: string; pointId: string; timeClass: string; days: Buffer | null }
type Holders = ReadonlyMap<string, (string | undefined)[]>
export type Asked = {
  companyId: number
  /** The first day of the month, and the run that holds on each of its days. */
  month: string
  runOn: (string | undefined)[]
  members: Holders
  producers: Holders
}
export type Found = {
  cells: (Cells & { wattMinutes: Float64Array })[]
  /** Runs that were made before their days were kept. */
  withoutDays: string[]
  /** Watt-minutes of days on which nobody holds the meter any more. */
  unheld: number
}

const floatsOf = (bytes: Uint8Array) => new Float64Array(Uint8Array.from(bytes).buffer)

/** What the runs that hold gave each member from each producer, class by class and day by day, as they wrote it. */
export async function cellsOf(db: Db, asked: Asked): Promise<Found> {
  const runs = [...new Set(asked.runOn.flatMap((id) => id ?? []))]
  const { rows } = await db.execute<Row>(sql`
    select run_id as "runId", producer_id as "producerId", point_id as "pointId", time_class as "timeClass", days
      from allocation_pairs
     where company_id = ${asked.companyId} and run_id = any(${sql.param(runs)}::uuid[]) and month = ${asked.month}
     order by point_id, producer_id, time_class`)
  const found = new Map<string, Found['cells'][number]>()
  const old = new Set<string>()
  let unheld = 0
  for (const row of rows) {
    if (row.days) unheld += addRow(row, floatsOf(row.days), asked, found)
    else old.add(row.runId)
  }
  return { cells: [...found.values()], withoutDays: [...old], unheld }
}

type Pair = { producerId: string; pointId: string; timeClass: string; days: Float64Array }

/** The same of pairs that no run has stored: all of their days hold. */
export function cellsFrom(pairs: readonly Pair[], asked: Pick<Asked, 'members' | 'producers'>, length: number) {
  const found = new Map<string, Found['cells'][number]>()
  const runOn = Array.from({ length }, () => '')
  for (const { days, ...row } of pairs)
    addRow({ ...row, runId: '', days: null }, days, { ...asked, companyId: 0, month: '', runOn }, found)
  return [...found.values()]
}

/** A day goes to whoever held both meters then; answers what went to nobody. */
function addRow(row: Row, days: Float64Array, asked: Asked, found: Map<string, Found['cells'][number]>): number {
  const members = asked.members.get(row.pointId) ?? []
  const producers = asked.producers.get(row.producerId) ?? []
  let lost = 0
  for (const [at, value] of days.entries()) {
    if (value === 0 || asked.runOn[at] !== row.runId) continue
    const [member, producer] = [members[at], producers[at]]
    if (member === undefined || producer === undefined) {
      lost += value
      continue
    }
    const name = `${member} ${producer} ${row.timeClass}`
    const cell = found.get(name) ?? {
      member,
      producer,
      class: row.timeClass,
      wattMinutes: new Float64Array(asked.runOn.length),
    }
    cell.wattMinutes[at] = value
    found.set(name, cell)
  }
  return lost
}
