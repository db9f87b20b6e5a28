import { gunzipSync } from 'node:zlib'
import type { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { MonthInput } from '@voisol/money/input'
import { type LineCell, openLine } from '@voisol/money/open-line'
import type { Answer } from '../../../compute/task.ts'

export type EnergyLine = Extract<SnapshotLine, { kind: 'energy' }>
type Asked = { packed: Uint8Array; seller: string; line: EnergyLine }

/** A line of energy opened to its days, from the month of the whole operation as its close kept it. */
export default function open({ packed, seller, line }: Asked): Answer<LineCell[]> {
  const { input } = JSON.parse(gunzipSync(packed).toString()) as { input: MonthInput } // as the close wrote it
  return { value: openLine(input, seller, line as EnergyLine & Parameters<typeof openLine>[2]) } // the same fields
}
