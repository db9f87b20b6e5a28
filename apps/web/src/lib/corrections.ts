export type Cell = { title: string; text: string; message: string }
/** A refused line of a file, as it can be written over. */
export type Correction = { line: number; message: string; cells: Cell[] }
type Reported = { line: number; outcome: string; message: string; cells?: Cell[] | undefined }

export const correctionsOf = (lines: Reported[]): Correction[] =>
  lines.flatMap(({ line, outcome, message, cells }) =>
    outcome === 'refused' && cells ? [{ line, message, cells }] : [],
  )
/** What is written over in place is not listed a second time. */
export const withoutCorrections = <T extends Reported>(lines: readonly T[]): T[] =>
  lines.filter(({ outcome, cells }) => outcome !== 'refused' || !cells)
/** What is wrong with the line as a whole, where no cell says it. */
export const faultOf = ({ message, cells }: Correction) => (cells.some((cell) => cell.message) ? '' : message)

const ALWAYS = ['Nom', 'Organisation']
/** Who it is about and what is wrong come first: the rest is there to the right. */
export function titlesOf(rows: Correction[]): string[] {
  const cells = rows.flatMap((row) => row.cells)
  const rank = (title: string) =>
    ALWAYS.includes(title) ? 0 : cells.some((cell) => cell.title === title && cell.message) ? 1 : 2
  return [...new Set(cells.map(({ title }) => title))].toSorted((a, b) => rank(a) - rank(b))
}
export const textOf = ({ cells }: Correction, title: string) => cells.find((cell) => cell.title === title)?.text ?? ''

export const written = (rows: Correction[], line: number, title: string, text: string): Correction[] =>
  rows.map((row) => {
    if (row.line !== line) return row
    const known = row.cells.some((cell) => cell.title === title)
    const cells = known ? row.cells : [...row.cells, { title, text: '', message: '' }]
    return { ...row, cells: cells.map((cell) => (cell.title === title ? { ...cell, text } : cell)) }
  })

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Only these lines, as a file of their own. */
export function correctedFile(rows: Correction[]): File {
  const titles = titlesOf(rows)
  const lines = [titles, ...rows.map((row) => titles.map((title) => textOf(row, title)))]
  const text = lines.map((cells) => cells.map(quoted).join(';')).join('\r\n')
  return new File([`\ufeff${text}`], 'lignes-corrigees.csv', { type: 'text/csv' })
}

/** What is still refused keeps the line it had in the first file. */
export const stillWrong = (sent: Correction[], lines: Reported[]): Correction[] =>
  correctionsOf(lines).flatMap(({ line, message, cells }) => {
    const first = sent[line - 2]
    return first ? [{ line: first.line, message, cells }] : []
  })
