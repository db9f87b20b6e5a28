import type { MatrixRow } from '../../../ui/matrix/model.ts'
import { getCellState } from '../../../ui/matrix/model.ts'
import { isGap, toCellKey } from '../../../ui/matrix/selection.ts'
import type { RequestedDay } from '../requests/plan.ts'

/** The ticked days that are still gaps of this period: what has come meanwhile is not asked for. */
export const listRequestableDays = (rows: MatrixRow[], days: string[], cells: ReadonlySet<string>): RequestedDay[] =>
  cells.size === 0
    ? []
    : rows.flatMap((row) =>
        days.flatMap((day, column) =>
          cells.has(toCellKey(row.id, day)) && isGap(getCellState(row, column)) ? [{ pointId: row.id, day }] : [],
        ),
      )
