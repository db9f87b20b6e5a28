import type { CurveImport } from '@voisol/contract/curves'

/** Their point is that of the file's name, which may be another number. */
const FORMATS_NAMED_BY_FILE = ['single', 'edf', 'customer-csv', 'customer-xlsx']

/** A curve whose file does not say whose it is, or names it by a number that is nobody's. */
export const needsPoint = ({ series, choices, detected }: CurveImport) =>
  choices.prm !== undefined ||
  series.some(
    ({ prm, pointId }) => prm === '' || (pointId === null && FORMATS_NAMED_BY_FILE.includes(detected?.format ?? '')),
  )

/** A point that is known in both directions, where the file names none. */
export const needsDirection = (item: CurveImport, known: { prm: string }[]) =>
  !needsPoint(item) &&
  (item.choices.direction !== undefined ||
    item.series.some((one) => one.direction === null && known.some(({ prm }) => prm === one.prm)))
