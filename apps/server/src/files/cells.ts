/** A cell that cannot be read says what was expected. */
export class CellError extends Error {}

export const quoteCell = (text: string) => `«\u00a0${text.slice(0, 40)}\u00a0»`

/** 31/12/2026 or 2026-12-31. */
export function parseDayCell(text: string): string {
  const french = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?: 0{1,2}:00(?::00)?)?$/.exec(text)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?$/.exec(text)
  const [year, month, date] = french ? [french[3], french[2], french[1]] : [iso?.[1], iso?.[2], iso?.[3]]
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(date) },
      { overflow: 'reject' },
    ).toString()
  } catch {
    throw new CellError(`${quoteCell(text)} n’est pas une date\u00a0: écrivez par exemple 31/12/2026.`)
  }
}
