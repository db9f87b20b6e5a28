import { CellError, parseDayCell } from '../../../files/cells.ts'
import type { CsvLine } from '../../../files/csv.ts'
import { readTable } from '../../../files/read-table.ts'
import { fieldError } from '../../../http/errors.ts'
import {
  PAST_DOCUMENT_COLUMNS,
  type PastDocumentColumn,
  parseCentsCell,
  parseMonth,
  parsePastDocumentHeader,
  parseWattHours,
} from './columns.ts'

export const MAX_PAST_DOCUMENT_LINES = 5000

export type PastDocumentLine = {
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
export type ParsedPastLine = {
  line: number
  number: string
  buyer: string
  value: PastDocumentLine | null
  message: string
}

/** Without a stated month, a document bills the month before its date. */
const getPreviousMonth = (day: string) =>
  Temporal.PlainDate.from(day).with({ day: 1 }).subtract({ months: 1 }).toString()

type CellReader = (column: PastDocumentColumn) => string

/** Refuses amounts that do not add up: net, tax and gross are compared with each other. */
function parseAmounts(text: CellReader) {
  const signed = parseCentsCell(text('gross'))
  const sign = signed < 0 ? -1 : 1
  const money = (column: PastDocumentColumn) => (text(column) === '' ? null : sign * parseCentsCell(text(column)))
  const gross = Math.abs(signed)
  const [net, tax] = [money('net'), money('tax')]
  const known = { net: net ?? (tax === null ? gross : gross - tax), tax: tax ?? (net === null ? 0 : gross - net) }
  if (known.net + known.tax !== gross)
    throw new CellError('HT et TVA ne font pas le TTC\u00a0: vérifiez les trois montants.')
  const open = Math.abs(money('open') ?? 0)
  if (open > gross) throw new CellError('Le reste dû dépasse le TTC.')
  return { ...known, gross, open, kind: sign < 0 ? ('creditNote' as const) : ('invoice' as const) }
}

function parsePastLine(text: CellReader): PastDocumentLine {
  for (const column of ['number', 'buyer', 'issuedOn', 'gross'] as const)
    if (text(column) === '')
      throw new CellError(`${PAST_DOCUMENT_COLUMNS[column][0]}\u00a0: ce qui manque est nécessaire.`)
  const issuedOn = parseDayCell(text('issuedOn'))
  const dueOn = text('dueOn') === '' ? issuedOn : parseDayCell(text('dueOn'))
  if (dueOn < issuedOn) throw new CellError('L’échéance précède la date de la facture.')
  return {
    number: text('number').slice(0, 60),
    buyer: text('buyer').slice(0, 200),
    issuedOn,
    dueOn,
    month: text('month') === '' ? getPreviousMonth(issuedOn) : parseMonth(text('month')),
    wh: text('wh') === '' ? null : parseWattHours(text('wh')),
    ...parseAmounts(text),
  }
}

function parseLine({ line, cells }: CsvLine, places: Map<PastDocumentColumn, number>): ParsedPastLine {
  const text: CellReader = (column) => (cells[places.get(column) ?? -1] ?? '').replace(/^'(?=[=+\-@])/, '').trim()
  const read = { line, number: text('number').slice(0, 60), buyer: text('buyer').slice(0, 200) }
  try {
    return { ...read, value: parsePastLine(text), message: '' }
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    return { ...read, value: null, message: error.message }
  }
}

/** Parses a file of past documents line by line. */
export async function readPastDocuments(bytes: Uint8Array): Promise<ParsedPastLine[]> {
  const [head, ...lines] = await readTable(bytes)
  if (!head) throw fieldError('file', 'Ce fichier est vide.')
  const places = parsePastDocumentHeader(head.cells)
  if (lines.length === 0) throw fieldError('file', 'Ce fichier ne contient aucune facture.')
  if (lines.length > MAX_PAST_DOCUMENT_LINES)
    throw fieldError('file', `Ce fichier compte plus de ${MAX_PAST_DOCUMENT_LINES} lignes\u00a0: partagez-le.`)
  return lines.map((line) => parseLine(line, places))
}
