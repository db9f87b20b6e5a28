import { listDays } from '@voisol/energy/calendar'
import type { EnergyCells } from '@voisol/money/input'
import { sql } from 'drizzle-orm'
import type { Period } from '../../../core/allocation-keys.ts'
import { pointLocationSql, pointNameSql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'

/** A participation at a point that overlaps the month. */
export type ParticipationPeriod = {
  id: string
  pointId: string
  prm: string
  /** The meter with its holder, and the meter alone. */
  label: string
  place: string
  holderId: string
  holder: string
  direction: 'consumption' | 'production'
  from: string
  to: string | null
  subscribedVa: number | null
  peakWatts: number | null
}

/** Participations that overlap the month, by meter and then by start. */
export async function loadParticipationPeriods(
  db: Db,
  companyId: number,
  operationId: string,
  { from, to }: Period,
): Promise<ParticipationPeriod[]> {
  const { rows } = await db.execute<ParticipationPeriod>(sql`
    select m.id, p.id as "pointId", p.prm, ${pointNameSql(sql`p.label`, sql`n.name`)} as label, ${pointLocationSql(sql`p`)} as place, n.id as "holderId",
           n.name as holder, p.direction, m.starts_on::text as from, m.ends_on::text as to,
           p.subscribed_va as "subscribedVa", p.peak_watts as "peakWatts"
      from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id
      join participants n on n.company_id = m.company_id and n.id = m.participant_id
     where m.company_id = ${companyId} and m.operation_id = ${operationId}
       and m.starts_on < ${to} and (m.ends_on is null or m.ends_on > ${from})
     order by p.prm, p.direction, m.starts_on, m.id`)
  return rows
}

/** The days of a participation within the month. */
export const listParticipationDays = ({ from, to }: { from: string; to: string | null }, month: Period): string[] =>
  listDays(from > month.from ? from : month.from, to !== null && to < month.to ? to : month.to)

/** By point, the participation on each day of the month. */
export function mapHoldersByDay(
  holders: { id: string; pointId: string; from: string; to: string | null }[],
  days: string[],
) {
  const byPoint = new Map<string, (string | undefined)[]>()
  for (const { id, pointId, from, to } of holders) {
    const own = byPoint.get(pointId) ?? days.map(() => undefined)
    for (const [at, day] of days.entries()) if (from <= day && (to === null || day < to)) own[at] = id
    byPoint.set(pointId, own)
  }
  return byPoint
}

type PairRow = { runId: string; producerId: string; pointId: string; timeClass: string; days: Buffer | null }
type HoldersByPoint = ReadonlyMap<string, (string | undefined)[]>
type LoadCellsInput = {
  companyId: number
  /** The first day of the month, and the run in force on each of its days. */
  month: string
  runOn: (string | undefined)[]
  members: HoldersByPoint
  producers: HoldersByPoint
}
type CellsResult = {
  cells: (EnergyCells & { wattMinutes: Float64Array })[]
  /** Runs from before their daily figures were stored. */
  withoutDays: string[]
  /** Watt-minutes of days on which nobody holds the meter. */
  unheld: number
}

const toFloat64Array = (bytes: Uint8Array) => new Float64Array(Uint8Array.from(bytes).buffer)

/** Energy of each member from each producer, by class and day, as the runs in force stored it. */
export async function loadCells(db: Db, input: LoadCellsInput): Promise<CellsResult> {
  const runs = [...new Set(input.runOn.flatMap((id) => id ?? []))]
  const { rows } = await db.execute<PairRow>(sql`
    select run_id as "runId", producer_id as "producerId", point_id as "pointId", time_class as "timeClass", days
      from allocation_pairs
     where company_id = ${input.companyId} and run_id = any(${sql.param(runs)}::uuid[]) and month = ${input.month}
     order by point_id, producer_id, time_class`)
  const cellsByKey = new Map<string, CellsResult['cells'][number]>()
  const runIdsWithoutDays = new Set<string>()
  let unheld = 0
  for (const row of rows) {
    if (row.days) unheld += addPairRow(row, toFloat64Array(row.days), input, cellsByKey)
    else runIdsWithoutDays.add(row.runId)
  }
  return { cells: [...cellsByKey.values()], withoutDays: [...runIdsWithoutDays], unheld }
}

type Pair = { producerId: string; pointId: string; timeClass: string; days: Float64Array }

/** The same for pairs not stored by a run: all of their days count. */
export function buildQuantityCells(
  pairs: readonly Pair[],
  holders: Pick<LoadCellsInput, 'members' | 'producers'>,
  length: number,
) {
  const cellsByKey = new Map<string, CellsResult['cells'][number]>()
  const runOn = Array.from({ length }, () => '')
  for (const { days, ...row } of pairs)
    addPairRow({ ...row, runId: '', days: null }, days, { ...holders, companyId: 0, month: '', runOn }, cellsByKey)
  return [...cellsByKey.values()]
}

/** Assigns each day to the holders of both meters then; returns the energy without a holder. */
function addPairRow(
  row: PairRow,
  days: Float64Array,
  input: LoadCellsInput,
  cellsByKey: Map<string, CellsResult['cells'][number]>,
): number {
  const members = input.members.get(row.pointId) ?? []
  const producers = input.producers.get(row.producerId) ?? []
  let unassigned = 0
  for (const [at, value] of days.entries()) {
    if (value === 0 || input.runOn[at] !== row.runId) continue
    const [member, producer] = [members[at], producers[at]]
    if (member === undefined || producer === undefined) {
      unassigned += value
      continue
    }
    const key = `${member} ${producer} ${row.timeClass}`
    const cell = cellsByKey.get(key) ?? {
      member,
      producer,
      class: row.timeClass,
      wattMinutes: new Float64Array(input.runOn.length),
    }
    cell.wattMinutes[at] = value
    cellsByKey.set(key, cell)
  }
  return unassigned
}

/** By day, what a point drew or injected over allocated steps, and the local part, in watt-minutes. */
export type MeasuredDays = { total: (number | null)[]; local: (number | null)[]; excluded: number[] }
type Row = { pointId: string; nth: number; total: string; local: string; excluded: number }

/** Every point of the operation under the runs in force. */
export async function loadMeasuredDays(
  db: Db,
  companyId: number,
  operationId: string,
  { from, to }: Period,
  length: number,
): Promise<Map<string, MeasuredDays>> {
  const { rows } = await db.execute<Row>(sql`
    select d.point_id as "pointId", (d.day - ${from}::date) as nth, d.total, d.local, d.excluded
      from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${companyId} and c.operation_id = ${operationId} and c.day >= ${from} and c.day < ${to}`)
  const byPoint = new Map<string, MeasuredDays>()
  for (const { pointId, nth, total, local, excluded } of rows) {
    const makeUnknownDays = () => Array.from({ length }, (): number | null => null)
    const own = byPoint.get(pointId) ?? {
      total: makeUnknownDays(),
      local: makeUnknownDays(),
      excluded: Array.from({ length }, () => 0),
    }
    own.total[nth] = Number(total)
    own.local[nth] = Number(local)
    own.excluded[nth] = excluded
    byPoint.set(pointId, own)
  }
  return byPoint
}
