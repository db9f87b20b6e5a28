import type { BankColumns } from '@voisol/contract/bank'
import { getRootName } from '../scan-xml.ts'
import {
  BankFileRefusedError,
  type BankMessage,
  type BankTableLine,
  type BankTableReader,
  parseCents,
  type RawBankLine,
} from './bank-types.ts'
import { parseCamt053, parseCamt054, parsePain002, parseXmlTree } from './camt.ts'

export type TablePreview = { titles: string[]; sample: string[][]; columns: BankColumns }

const READERS: [RegExp, (root: ReturnType<typeof parseXmlTree>) => BankMessage][] = [
  [/camt\.053\.001\.\d\d|BkToCstmrStmt/, parseCamt053],
  [/camt\.054\.001\.\d\d|BkToCstmrDbtCdtNtfctn/, parseCamt054],
  [/pain\.002\.001\.\d\d|CstmrPmtStsRpt/, parsePain002],
]
const EXPECTED =
  'Attendu\u00a0: un relevé camt.053, un avis camt.054, un compte rendu pain.002 (XML), ou un tableau CSV ou Excel.'

const startsAs = (bytes: Uint8Array, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)
function isXml(bytes: Uint8Array): boolean {
  if (startsAs(bytes, 0x25, 0x50, 0x44, 0x46))
    throw new BankFileRefusedError(`Ce fichier est un document PDF, pas un relevé que l’on peut lire. ${EXPECTED}`)
  const head = new TextDecoder().decode(bytes.subarray(0, 200)).replace(/^\ufeff/, '')
  return /^\s*</.test(head)
}

function parseXml(bytes: Uint8Array): BankMessage {
  const encoding = /encoding=["']([\w-]+)["']/i.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 200)))?.[1]
  const text = new TextDecoder(/8859|1252/.test(encoding ?? '') ? 'windows-1252' : 'utf-8').decode(bytes)
  const head = text.slice(0, 4000)
  const reader = READERS.find(([mark]) => mark.test(head))?.[1]
  if (!reader)
    throw new BankFileRefusedError(
      `Ce fichier XML (${getRootName(head).slice(0, 40) || 'sans racine'}) n’est pas un message de banque connu. ${EXPECTED}`,
    )
  return reader(parseXmlTree(text))
}

/** What a bank's file says; a table is read by the columns of its account, and waits for them where there are none. */
export async function parseBankFile(
  bytes: Uint8Array,
  columns: BankColumns | null,
  readTable: BankTableReader,
): Promise<BankMessage> {
  if (isXml(bytes)) return parseXml(bytes)
  if (!columns)
    throw new BankFileRefusedError(
      'Ce tableau est le premier de ce compte\u00a0: dites d’abord quelle colonne contient le jour, le libellé et le montant.',
    )
  return parseTableLines(await readTable(bytes), columns)
}

/** The titles of a table, a few of its lines, and what they seem to say. */
export async function previewTable(bytes: Uint8Array, readTable: BankTableReader): Promise<TablePreview | null> {
  if (isXml(bytes)) return null
  const lines = await readTable(bytes)
  const head = findTitleLine(lines) ?? lines.find(({ cells }) => cells.filter(Boolean).length > 2)
  if (!head) throw new BankFileRefusedError(`Ce fichier n’a pas de ligne de titres. ${EXPECTED}`)
  const titles = head.cells.map((cell) => cell.trim())
  const sample = lines.filter(({ line }) => line > head.line).slice(0, 5)
  return { titles, sample: sample.map(({ cells }) => cells), columns: proposeColumns(titles) }
}

const foldTitle = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

const COLUMN_TITLES: Record<Exclude<keyof BankColumns, 'dayFirst'>, string[]> = {
  date: ['date', 'dateoperation', 'datedoperation', 'datecomptable', 'datedecomptabilisation', 'bookingdate'],
  label: ['libelle', 'libelleoperation', 'libellesimplifie', 'description', 'operation', 'nature', 'label'],
  amount: ['montant', 'montanteuros', 'montanteneuros', 'amount', 'montantop'],
  credit: ['credit', 'crediteuros', 'crediteur', 'entree'],
  debit: ['debit', 'debiteuros', 'debiteur', 'sortie'],
  party: ['contrepartie', 'tiers', 'nom', 'nomcontrepartie', 'beneficiaire', 'donneurdordre'],
  reference: ['reference', 'referenceoperation', 'numerooperation', 'ref', 'informationscomplementaires'],
}

/** The line of titles: banks write who and when above it. The first one that names a date and something else that is known. */
function findTitleLine(lines: readonly BankTableLine[], columns?: BankColumns | null): BankTableLine | undefined {
  const wanted = columns && [columns.date, columns.label]
  return lines
    .slice(0, 40)
    .find(({ cells }) =>
      wanted
        ? wanted.every((title) => cells.includes(title))
        : cells.some((cell) => COLUMN_TITLES.date.includes(foldTitle(cell))) && cells.filter(Boolean).length > 2,
    )
}

/** What the titles seem to say: a person looks at it before it is kept. */
function proposeColumns(titles: readonly string[]): BankColumns {
  const find = (name: keyof typeof COLUMN_TITLES) =>
    titles.find((title) => COLUMN_TITLES[name].includes(foldTitle(title))) ?? ''
  const amount = find('amount')
  return {
    date: find('date'),
    label: find('label'),
    amount,
    credit: amount ? '' : find('credit'),
    debit: amount ? '' : find('debit'),
    party: find('party'),
    reference: find('reference'),
    dayFirst: true,
  }
}

/** 31/12/2025, 31.12.25 or 2025-12-31. */
export function parseTableDay(text: string, dayFirst: boolean): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text)
  const found = iso ? null : /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/.exec(text.trim())
  const [first = '', second = '', year = ''] = found?.slice(1) ?? []
  const [day, month] = dayFirst ? [first, second] : [second, first]
  const written = iso
    ? iso[0]
    : `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  try {
    return Temporal.PlainDate.from(written, { overflow: 'reject' }).toString()
  } catch {
    return null
  }
}

/** « 1 234,56 », « -12.50 », « (12,50) », « 12,50- »: cents with their sign; null where it is no amount. */
export function parseTableCents(text: string): number | null {
  const plain = text.replace(/[\s\u00a0\u202f€]|EUR/g, '')
  const negative = /^[-−]|[-−]$|^\(.*\)$/.test(plain)
  const digits = plain.replace(/[-−+()]/g, '')
  // The last comma or point is the decimal one; those before it group thousands.
  const decimal = /[.,](?=\d{1,2}$)/.exec(digits)
  const whole = (decimal ? digits.slice(0, decimal.index) : digits).replace(/[.,'](?=\d{3})/g, '')
  const cents = parseCents(decimal ? `${whole}.${digits.slice(decimal.index + 1)}` : whole)
  return cents === null ? null : negative ? -cents : cents
}

function parseRowAmount(cell: (title: string) => string, { amount, credit, debit }: BankColumns): number | null {
  if (amount) return parseTableCents(cell(amount))
  const [came, went] = [cell(credit), cell(debit)]
  if (came && came !== '0' && parseTableCents(came)) return Math.abs(parseTableCents(came) ?? 0)
  const out = went ? parseTableCents(went) : null
  return out === null ? null : -Math.abs(out)
}

/** A table of movements by the columns that somebody named for this account. */
function parseTableLines(lines: readonly BankTableLine[], columns: BankColumns): BankMessage {
  const head = findTitleLine(lines, columns)
  if (!head)
    throw new BankFileRefusedError(
      `Les colonnes «\u00a0${columns.date}\u00a0» et «\u00a0${columns.label}\u00a0» retenues pour ce compte ne sont pas dans ce fichier\u00a0: nommez-les de nouveau.`,
    )
  const found = lines
    .filter(({ line }) => line > head.line)
    .map(({ line, cells }): RawBankLine => {
      const cell = (title: string) => (title ? (cells[head.cells.indexOf(title)] ?? '') : '')
      const bookedOn = parseTableDay(cell(columns.date), columns.dayFirst)
      if (!bookedOn)
        throw new BankFileRefusedError(
          `Ligne ${line}\u00a0: «\u00a0${cell(columns.date).slice(0, 40)}\u00a0» n’est pas un jour, par exemple 31/12/2026.`,
        )
      const amount = parseRowAmount(cell, columns)
      if (amount === null)
        throw new BankFileRefusedError(
          `Ligne ${line}\u00a0: le montant n’est pas lisible, par exemple 1 234,56 est attendu.`,
        )
      const nothing = { charge: 0, part: '', partyIban: '', endToEndId: '', rum: '', batchId: '', returnCode: '' }
      const label = cell(columns.label).slice(0, 1000)
      // Without a reference of the bank, what it wrote tells movements of one day apart.
      const reference = cell(columns.reference).slice(0, 200) || label.slice(0, 200)
      return { ...nothing, bookedOn, amount, reference, label, party: cell(columns.party).slice(0, 200) }
    })
    .filter(({ amount }) => amount !== 0)
  if (!found.length) throw new BankFileRefusedError('Ce fichier ne contient aucun mouvement sous la ligne de titres.')
  const days = found.map(({ bookedOn }) => bookedOn).sort()
  const span = { from: days[0] ?? null, to: days.at(-1) ?? null }
  return {
    format: 'csv',
    statements: [{ reference: '', account: '', ...span, opening: null, closing: null, lines: found }],
    returns: [],
  }
}
