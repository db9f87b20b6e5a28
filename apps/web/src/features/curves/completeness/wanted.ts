import type { MatrixRow } from '../../../ui/matrix/model.ts'
import { stateAt } from '../../../ui/matrix/model.ts'
import { cellKey, isGap } from '../../../ui/matrix/selection.ts'
import type { WantedDay } from '../requests/plan.ts'

/** The ticked days that are still gaps of this period: what has come meanwhile is not asked for. */
export const wantedOf = (rows: MatrixRow[], days: string[], cells: ReadonlySet<string>): WantedDay[] =>
  cells.size === 0
    ? []
    : rows.flatMap((row) =>
        days.flatMap((day, column) =>
          cells.has(cellKey(row.id, day)) && isGap(stateAt(row, column)) ? [{ pointId: row.id, day }] : [],
        ),
      )
