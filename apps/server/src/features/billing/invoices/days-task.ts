import { gunzipSync } from 'node:zlib'
import type { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { MonthInput } from '@voisol/money/input'
import { type LineCell, listLineCells } from '@voisol/money/line-breakdown'
import type { TaskResult } from '../../../workers/task.ts'

export type SnapshotEnergyLine = Extract<SnapshotLine, { kind: 'energy' }>
type ComputeLineDaysInput = { packed: Uint8Array; seller: string; line: SnapshotEnergyLine }

/** Splits an energy line into days, from the operation's month as its close stored it. */
export default function computeLineDays({ packed, seller, line }: ComputeLineDaysInput): TaskResult<LineCell[]> {
  const { input } = JSON.parse(gunzipSync(packed).toString()) as { input: MonthInput } // as the close wrote it
  return { value: listLineCells(input, seller, line as SnapshotEnergyLine & Parameters<typeof listLineCells>[2]) } // the same fields
}
