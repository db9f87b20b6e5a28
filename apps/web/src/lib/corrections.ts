type CorrectionCell = { title: string; text: string; message: string }
/** A refused line of a file, as it can be written over. */
export type LineCorrection = { line: number; message: string; cells: CorrectionCell[] }
type ImportLineReport = { line: number; outcome: string; message: string; cells?: CorrectionCell[] | undefined }

export const toCorrections = (lines: ImportLineReport[]): LineCorrection[] =>
  lines.flatMap(({ line, outcome, message, cells }) =>
    outcome === 'refused' && cells ? [{ line, message, cells }] : [],
  )
/** What is written over in place is not listed a second time. */
export const excludeCorrectableLines = <T extends ImportLineReport>(lines: readonly T[]): T[] =>
  lines.filter(({ outcome, cells }) => outcome !== 'refused' || !cells)
/** What is wrong with the line as a whole, where no cell says it. */
export const getLineError = ({ message, cells }: LineCorrection) => (cells.some((cell) => cell.message) ? '' : message)

const LEADING_COLUMNS = ['Nom', 'Organisation']
/** Who it is about and what is wrong come first: the rest is there to the right. */
export function listColumnTitles(rows: LineCorrection[]): string[] {
  const cells = rows.flatMap((row) => row.cells)
  const rank = (title: string) =>
    LEADING_COLUMNS.includes(title) ? 0 : cells.some((cell) => cell.title === title && cell.message) ? 1 : 2
  return [...new Set(cells.map(({ title }) => title))].toSorted((a, b) => rank(a) - rank(b))
}
export const getCellText = ({ cells }: LineCorrection, title: string) =>
  cells.find((cell) => cell.title === title)?.text ?? ''

export const updateCorrection = (rows: LineCorrection[], line: number, title: string, text: string): LineCorrection[] =>
  rows.map((row) => {
    if (row.line !== line) return row
    const known = row.cells.some((cell) => cell.title === title)
    const cells = known ? row.cells : [...row.cells, { title, text: '', message: '' }]
    return { ...row, cells: cells.map((cell) => (cell.title === title ? { ...cell, text } : cell)) }
  })

const quoteCsv = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Only these lines, as a file of their own. */
export function buildCorrectedFile(rows: LineCorrection[]): File {
  const titles = listColumnTitles(rows)
  const lines = [titles, ...rows.map((row) => titles.map((title) => getCellText(row, title)))]
  const text = lines.map((cells) => cells.map(quoteCsv).join(';')).join('\r\n')
  return new File([`\ufeff${text}`], 'lignes-corrigees.csv', { type: 'text/csv' })
}

/** What is still refused keeps the line it had in the first file. */
export const findRemainingCorrections = (sent: LineCorrection[], lines: ImportLineReport[]): LineCorrection[] =>
  toCorrections(lines).flatMap(({ line, message, cells }) => {
    const first = sent[line - 2]
    return first ? [{ line: first.line, message, cells }] : []
  })
