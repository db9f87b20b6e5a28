import type { EnergyCells } from '@voisol/money/input'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'

type PairRow = { runId: string; producerId: string; pointId: string; timeClass: string; days: Buffer | null }
type HoldersByPoint = ReadonlyMap<string, (string | undefined)[]>
export type LoadCellsInput = {
  companyId: number
  /** The first day of the month, and the run in force on each of its days. */
  month: string
  runOn: (string | undefined)[]
  members: HoldersByPoint
  producers: HoldersByPoint
}
export type CellsResult = {
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
