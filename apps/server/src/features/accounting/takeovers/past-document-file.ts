import type { CsvLine } from '../../../files/csv.ts'
import { CellError, parseDayCell, quoteCell, readTable } from '../../../files/table-file.ts'
import { fieldError } from '../../../http/errors.ts'

/** The columns of a file of past documents: the label of each, and the header titles accepted for it, normalised. */
export const PAST_DOCUMENT_COLUMNS = {
  number: ['Numéro', 'numero', 'numerodefacture', 'facture', 'piece', 'reference'],
  buyer: ['Acheteur', 'acheteur', 'client', 'nom', 'participant', 'email', 'consommateur'],
  issuedOn: ['Date', 'date', 'datedefacture', 'datedemission', 'emisele', 'emise'],
  dueOn: ['Échéance', 'echeance', 'datedecheance', 'arecevoirle'],
  month: ['Mois', 'mois', 'periode', 'moisfacture'],
  wh: ['Énergie (kWh)', 'energiekwh', 'energie', 'kwh', 'quantite', 'quantitekwh', 'consommationkwh'],
  net: ['HT (€)', 'ht', 'totalht', 'montantht'],
  tax: ['TVA (€)', 'tva', 'montanttva', 'totaltva'],
  gross: ['TTC (€)', 'ttc', 'totalttc', 'montantttc', 'montant', 'total'],
  open: ['Reste dû (€)', 'restedu', 'solde', 'resteapayer', 'nonregle'],
} as const satisfies Record<string, readonly [string, ...string[]]>
type PastDocumentColumn = keyof typeof PAST_DOCUMENT_COLUMNS
export const PAST_DOCUMENT_COLUMN_NAMES = Object.keys(PAST_DOCUMENT_COLUMNS) as PastDocumentColumn[] // keys of a literal

const REQUIRED_COLUMNS: PastDocumentColumn[] = ['number', 'buyer', 'issuedOn', 'gross']

const normalizeTitle = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[€()]/g, '')
    .replace(/[^a-z0-9]+/g, '')

/** The position of each known column; a file without a required column is refused as a whole. */
function parsePastDocumentHeader(cells: string[]): Map<PastDocumentColumn, number> {
  const positions = new Map<PastDocumentColumn, number>()
  for (const [at, cell] of cells.entries()) {
    const folded = normalizeTitle(cell)
    const column = PAST_DOCUMENT_COLUMN_NAMES.find((name) =>
      PAST_DOCUMENT_COLUMNS[name].some((title) => normalizeTitle(title) === folded),
    )
    if (column && !positions.has(column)) positions.set(column, at)
  }
  const absent = REQUIRED_COLUMNS.filter((name) => !positions.has(name)).map((name) => PAST_DOCUMENT_COLUMNS[name][0])
  if (absent.length > 0)
    throw fieldError('file', `La première ligne doit nommer les colonnes\u00a0: il manque ${absent.join(', ')}.`)
  return positions
}

/** « 1 234,56 € » as cents, parsed from digits and never from a float. */
export function parseCentsCell(text: string): number {
  const plain = text.replace(/[\s\u00a0\u202f€]/g, '').replace('−', '-')
  const found = /^(-?)(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(plain)
  if (!found) throw new CellError(`${quoteCell(text)} n’est pas un montant\u00a0: écrivez par exemple 23,17.`)
  const [, sign, whole = '0', part = ''] = found
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return sign ? 0 - cents : cents
}

/** « 123,456 » kilowatt-hours as watt-hours. */
export function parseWattHours(text: string): number {
  const plain = text.replace(/[\s\u00a0\u202f]|kwh$/gi, '')
  const found = /^(\d{1,9})(?:[.,](\d{1,3})\d*)?$/.exec(plain)
  if (!found) throw new CellError(`${quoteCell(text)} n’est pas une énergie en kWh\u00a0: écrivez par exemple 123,4.`)
  return Number(found[1]) * 1000 + Number((found[2] ?? '').padEnd(3, '0'))
}

/** « 05/2026 », « 2026-05 », or a day of the month. */
export function parseMonth(text: string): string {
  const short = /^(\d{1,2})[/.-](\d{4})$/.exec(text) ?? /^(\d{4})-(\d{1,2})$/.exec(text)
  if (!short) return `${parseDayCell(text).slice(0, 7)}-01`
  const [, a = '', b = ''] = short
  const [year, month] = a.length === 4 ? [a, b] : [b, a]
  if (Number(month) < 1 || Number(month) > 12)
    throw new CellError(`${quoteCell(text)} n’est pas un mois\u00a0: écrivez par exemple 05/2026.`)
  return `${year}-${month.padStart(2, '0')}-01`
}

const MAX_PAST_DOCUMENT_LINES = 5000

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
