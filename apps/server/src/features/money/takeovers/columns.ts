import { CellError, parseDayCell, quoteCell } from '../../../files/cells.ts'
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
export type PastDocumentColumn = keyof typeof PAST_DOCUMENT_COLUMNS
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
export function parsePastDocumentHeader(cells: string[]): Map<PastDocumentColumn, number> {
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
