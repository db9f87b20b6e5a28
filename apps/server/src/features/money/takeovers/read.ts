import { CellError, dayCell } from '../../../files/cells.ts'
import type { CsvLine } from '../../../files/csv.ts'
import { readTable } from '../../../files/read-table.ts'
import { fieldError } from '../../../http/errors.ts'
import { COLUMNS, type Column, centsCell, monthCell, readHeader, whCell } from './columns.ts'

export const MOST_LINES = 5000

export type PastLine = {
  number: string
  buyer: string
  kind: 'invoice' | 'creditNote'
  issuedOn: string
  dueOn: string
  month: string
  wh: number | null
  net: number
  tax: number
  gross: number
  open: number
}
export type ReadLine = { line: number; number: string; buyer: string; value: PastLine | null; message: string }

/** A month is billed the month after, where nothing says which. */
const monthBefore = (day: string) => Temporal.PlainDate.from(day).with({ day: 1 }).subtract({ months: 1 }).toString()

type Cells = (column: Column) => string

/** Amounts that do not add up are nobody's: net, tax and gross are held against one another. */
function amountsOf(text: Cells) {
  const signed = centsCell(text('gross'))
  const sign = signed < 0 ? -1 : 1
  const money = (column: Column) => (text(column) === '' ? null : sign * centsCell(text(column)))
  const gross = Math.abs(signed)
  const [net, tax] = [money('net'), money('tax')]
  const known = { net: net ?? (tax === null ? gross : gross - tax), tax: tax ?? (net === null ? 0 : gross - net) }
  if (known.net + known.tax !== gross)
    throw new CellError('HT et TVA ne font pas le TTC\u00a0: vérifiez les trois montants.')
  const open = Math.abs(money('open') ?? 0)
  if (open > gross) throw new CellError('Le reste dû dépasse le TTC.')
  return { ...known, gross, open, kind: sign < 0 ? ('creditNote' as const) : ('invoice' as const) }
}

function pastLineOf(text: Cells): PastLine {
  for (const column of ['number', 'buyer', 'issuedOn', 'gross'] as const)
    if (text(column) === '') throw new CellError(`${COLUMNS[column][0]}\u00a0: ce qui manque est nécessaire.`)
  const issuedOn = dayCell(text('issuedOn'))
  const dueOn = text('dueOn') === '' ? issuedOn : dayCell(text('dueOn'))
  if (dueOn < issuedOn) throw new CellError('L’échéance précède la date de la facture.')
  return {
    number: text('number').slice(0, 60),
    buyer: text('buyer').slice(0, 200),
    issuedOn,
    dueOn,
    month: text('month') === '' ? monthBefore(issuedOn) : monthCell(text('month')),
    wh: text('wh') === '' ? null : whCell(text('wh')),
    ...amountsOf(text),
  }
}

function readLine({ line, cells }: CsvLine, places: Map<Column, number>): ReadLine {
  const text: Cells = (column) => (cells[places.get(column) ?? -1] ?? '').replace(/^'(?=[=+\-@])/, '').trim()
  const read = { line, number: text('number').slice(0, 60), buyer: text('buyer').slice(0, 200) }
  try {
    return { ...read, value: pastLineOf(text), message: '' }
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    return { ...read, value: null, message: error.message }
  }
}

/** A file of past documents, understood line by line. */
export async function readPast(bytes: Uint8Array): Promise<ReadLine[]> {
  const [head, ...lines] = await readTable(bytes)
  if (!head) throw fieldError('file', 'Ce fichier est vide.')
  const places = readHeader(head.cells)
  if (lines.length === 0) throw fieldError('file', 'Ce fichier ne contient aucune facture.')
  if (lines.length > MOST_LINES)
    throw fieldError('file', `Ce fichier compte plus de ${MOST_LINES} lignes\u00a0: partagez-le.`)
  return lines.map((line) => readLine(line, places))
}
