import type { MatrixRow } from '../../ui/matrix/matrix.tsx'

export type PointRow = MatrixRow & { prm: string }

export const filterIncompleteRows = (rows: PointRow[]) => rows.filter(({ cells }) => /[pm]/.test(cells))
