import type { CurveImport } from '@voisol/contract/curves'

/** A curve whose file does not say whose it is. */
export const needsPoint = ({ series, choices }: CurveImport) =>
  choices.prm !== undefined || series.some(({ prm }) => prm === '')

/** A point that is known in both directions, where the file names none. */
export const needsDirection = (item: CurveImport, known: { prm: string }[]) =>
  !needsPoint(item) &&
  (item.choices.direction !== undefined ||
    item.series.some((one) => one.direction === null && known.some(({ prm }) => prm === one.prm)))
