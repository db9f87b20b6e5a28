import type { MatrixRow } from '../../ui/matrix/matrix.tsx'

export type PointRow = MatrixRow & { prm: string }

export const withHoles = (rows: PointRow[]) => rows.filter(({ cells }) => /[pm]/.test(cells))
