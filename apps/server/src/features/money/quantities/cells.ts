import type { EnergyCells } from '@voisol/money/input'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'

type PairRow = { runId: string; producerId: string; pointId: string; timeClass: string; days: Buffer | null }
type HoldersByPoint = ReadonlyMap<string, (string | undefined)[]>
export type LoadCellsInput = {
  companyId: number
  /** The first day of the month, and the run that holds on each of its days. */
  month: string
  runOn: (string | undefined)[]
  members: HoldersByPoint
  producers: HoldersByPoint
}
export type CellsResult = {
  cells: (EnergyCells & { wattMinutes: Float64Array })[]
  /** Runs that were made before their days were kept. */
  withoutDays: string[]
  /** Watt-minutes of days on which nobody holds the meter any more. */
  unheld: number
}

const toFloat64Array = (bytes: Uint8Array) => new Float64Array(Uint8Array.from(bytes).buffer)

/** What the runs that hold gave each member from each producer, class by class and day by day, as they wrote it. */
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

/** The same of pairs that no run has stored: all of their days hold. */
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

/** A day goes to whoever held both meters then; answers what went to nobody. */
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
