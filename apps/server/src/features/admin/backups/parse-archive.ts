import { formatFrenchNumber } from '@voisol/file-formats/french'
import { z } from 'zod'
import { compactIban, findIbanError } from '../../../core/iban.ts'
import {
  type ArchiveRow,
  type ArchiveTable,
  ISSUED,
  isIgnored,
  isReference,
  isSealedIban,
  MAX_ROWS,
} from '../../../db/schema/company-archive/company-archive.ts'
import type { ReadableZipEntry } from '../../../files/zip.ts'
import {
  getMaxUnpackedBytes,
  MAX_DOCUMENTS,
  MAX_LINE_CHARACTERS,
  MAX_PART_BYTES,
  MAX_TABLE_BYTES,
} from './archive-format.ts'
import type { RowPlace } from './archive-rules.ts'
import { CopyFault } from './copy-format.ts'
import type { OpenArchive } from './open-archive.ts'

/** The ids of the rows read so far, by table: what another row may refer to. */
export type KnownIds = Map<string, Set<string>>
type ArchiveLine = RowPlace & { text: string }

/** Nothing is imported by halves: the first fault ends it, and says where it stands. */
export function refuseLine({ file, number }: RowPlace, sentence: string): never {
  throw new CopyFault(`${file}, ligne ${number}\u00a0: ${sentence} Rien n’a été repris.`)
}

const COLUMN_NAME = /^[a-z_]{1,60}$/
const FIELD_NAME = /^[A-Za-z_]{1,60}$/

/** What is wrong, in words that hold nothing of the archive but short plain names: it may name a column by millions of characters. */
function describeIssue({ path, ...issue }: z.core.$ZodIssue): string {
  const where = path
    .map((name) => (typeof name === 'number' || FIELD_NAME.test(String(name)) ? String(name) : '…'))
    .join('.')
  const prefix = where ? `${where}\u00a0: ` : ''
  if (issue.code !== 'unrecognized_keys') return prefix + (issue.message || 'valeur inattendue')
  const [name = ''] = issue.keys
  return `${prefix}colonne inconnue${COLUMN_NAME.test(name) ? `\u00a0: ${name}` : ''}.`
}

const addFinalStop = (sentence: string) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

function parseLine<S extends z.ZodType>(schema: S, line: ArchiveLine): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch {
    return refuseLine(line, 'format JSON invalide.')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuseLine(line, addFinalStop(issue ? describeIssue(issue) : 'valeur inattendue'))
}

/** Reads the lines of a table one after the other, within what one import may read in all. */
export function createLineReader({ bytes, parts, unpack }: OpenArchive) {
  let bytesLeft = getMaxUnpackedBytes(bytes, MAX_TABLE_BYTES)
  function* linesOfPart(file: ReadableZipEntry): Generator<ArchiveLine> {
    const text = unpack(file, Math.min(MAX_PART_BYTES, bytesLeft)).toString()
    bytesLeft -= file.size
    for (let at = 0, number = 1; at < text.length; number++) {
      const end = text.indexOf('\n', at)
      const line = { file: file.name, number, text: text.slice(at, end < 0 ? undefined : end) }
      at = end < 0 ? text.length : end + 1
      if (line.text.length > MAX_LINE_CHARACTERS) refuseLine(line, 'elle est trop longue.')
      if (line.text.includes('\\u0000')) refuseLine(line, 'le caractère nul n’est pas permis.')
      if (line.text) yield line
    }
  }
  return function* readLines(table: string, maxRows = MAX_ROWS): Generator<ArchiveLine> {
    let rows = 0
    for (const part of parts(table))
      for (const line of linesOfPart(part)) {
        if (++rows > maxRows) refuseLine(line, `une archive en contient ${formatFrenchNumber(maxRows)} au plus.`)
        yield line
      }
  }
}

const Iban = z
  .string()
  .max(60)
  .transform(compactIban)
  .superRefine((iban, context) => {
    const message = findIbanError(iban)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** The contract of one row: every column of the table, and no other. */
function buildRowSchema({ columns }: ArchiveTable) {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, column] of Object.entries(columns)) {
    if (isReference(column)) shape[name] = column.optional ? z.uuid().nullable() : z.uuid()
    else if (isSealedIban(column)) shape[name] = column.optional ? Iban.nullable() : Iban
    else shape[name] = isIgnored(column) ? z.unknown() : column
  }
  return z.strictObject(shape)
}

/** What stands at a path of a value, `*` being every item of a list; nothing where a part of it is absent. */
function listAtPath(value: unknown, [key, ...path]: string[]): unknown[] {
  if (value === null || value === undefined) return []
  if (key === undefined) return [value]
  if (key === '*') return (value as unknown[]).flatMap((item) => listAtPath(item, path)) // its contract says a list
  return listAtPath((value as ArchiveRow)[key], path)
}

/**
 * A parser of the rows of a table, which gives each as it is written: nothing that is ignored, what follows computed,
 * and of an archive that nobody trusted signed no more than a file import could bring; null for a row that stays behind.
 */
export function createRowParser(table: ArchiveTable, known: KnownIds, isTrusted: boolean) {
  const contract = buildRowSchema(table)
  const { columns, check, derive, idsInValues = {} } = table
  const fileImport = isTrusted || table.from === 'trusted' ? undefined : table.from
  const references = Object.entries(columns).flatMap(([name, column]) =>
    isReference(column) ? [[name, column.refersTo] as const] : [],
  )
  const inValues = Object.entries(idsInValues).map(([path, target]) => [path.split('.'), target] as const)
  const storedColumns =
    fileImport?.columns ?? Object.keys(columns).filter((name) => !isIgnored(columns[name] ?? z.unknown()))
  const requireKnown = (line: ArchiveLine, target: string, id: unknown) => {
    if (typeof id === 'string' && !known.get(target)?.has(id))
      refuseLine(line, `elle fait référence à ${id} (${target}), absent de l’archive.`)
  }
  return (line: ArchiveLine): ArchiveRow | null => {
    const parsed: ArchiveRow = parseLine(contract, line)
    for (const [name, target] of references) requireKnown(line, target, parsed[name])
    for (const [path, target] of inValues) for (const id of listAtPath(parsed, path)) requireKnown(line, target, id)
    for (const [target, id] of table.refersTo?.(parsed) ?? []) requireKnown(line, target, id)
    const fault = check?.(parsed)
    if (fault) refuseLine(line, addFinalStop(fault))
    if (fileImport?.skip?.(parsed)) return null
    const row: ArchiveRow = {}
    for (const name of storedColumns) row[name] = parsed[name]
    return { ...row, ...derive?.(parsed), ...fileImport?.set?.() }
  }
}

type IssuedRows = { [T in keyof typeof ISSUED]: z.output<(typeof ISSUED)[T]> }

/** An invoice or credit note of the archive: it can be looked up and paid, and is never issued again. */
export type ImportedDocument = {
  operation_id: string
  seller_id: string
  buyer_id: string
  number: string
  kind: 'invoice' | 'creditNote'
  issued_on: string
  due_on: string
  month: string
  wh: number | null
  net: number
  tax: number
  gross: number
  open: number
}
/** A balance of an account that belongs to no document: an advance, or a debt without an invoice. */
type OpeningBalance = {
  id: string
  seller_id: string
  buyer_id: string
  kind: 'openingCredit' | 'openingDebit'
  amount: number
}
export type ImportedAccounts = {
  documents: ImportedDocument[]
  balances: OpeningBalance[]
  /** Documents that are not imported: those without a participant or an operation, and statements, on which nothing is due. */
  skippedDocuments: number
}

const CREDIT_KINDS: IssuedRows['payments']['kind'][] = ['receipt', 'writeOff', 'openingCredit']

/** The amount of every document and payment that others have already settled, by its id. */
function sumMatches(matches: IssuedRows['matches'][]): Map<string, number> {
  const settled = new Map<string, number>()
  const add = (id: string | null, amount: number) => id && settled.set(id, (settled.get(id) ?? 0) + amount)
  for (const match of matches) {
    add(match.debit_invoice_id ?? match.debit_payment_id, match.amount)
    add(match.credit_invoice_id ?? match.credit_payment_id, match.amount)
  }
  return settled
}

/** Invoices of the archive become past documents of the company that imports it; accounts open with their unpaid amounts. */
export function readImportedAccounts(
  readLines: ReturnType<typeof createLineReader>,
  known: KnownIds,
): ImportedAccounts {
  const parseTable = <T extends keyof IssuedRows>(table: T) =>
    [...readLines(table, table === 'invoices' ? MAX_DOCUMENTS : undefined)].map((line) => ({
      line: { file: line.file, number: line.number, text: '' },
      row: parseLine(ISSUED[table], line) as IssuedRows[T], // of that very table
    }))
  const payments = parseTable('payments')
  const settled = sumMatches(parseTable('matches').map(({ row }) => row))
  const getOpenAmount = (id: string | null, amount: number) =>
    Math.min(Math.max(amount - (settled.get(id ?? '') ?? 0), 0), amount)
  const isKnown = (table: string, id: string) => known.get(table)?.has(id) === true
  const numbers = new Set<string>()

  function toImportedDocument(
    line: ArchiveLine,
    document: Omit<ImportedDocument, 'open'>,
    open: number,
  ): ImportedDocument {
    const { operation_id, seller_id, buyer_id, number, net, tax, gross, due_on, issued_on } = document
    if (!isKnown('operations', operation_id) || !isKnown('sellers', seller_id) || !isKnown('participants', buyer_id))
      refuseLine(line, 'elle fait référence à une opération, à un vendeur ou à un acheteur absent de l’archive.')
    if (net + tax !== gross) refuseLine(line, 'HT et TVA ne font pas le TTC.')
    if (due_on < issued_on) refuseLine(line, 'l’échéance précède la date de la facture.')
    if (numbers.has(`${seller_id} ${number}`)) refuseLine(line, `le numéro ${number} est celui d’une autre ligne.`)
    numbers.add(`${seller_id} ${number}`)
    return { ...document, open }
  }

  const openingById = new Map(payments.map(({ row }) => [row.id, row]))
  const openings = new Set<string | null>()
  const past = parseTable('past_documents').map(({ line, row: { id: _, payment_id, ...row } }) => {
    const opening = openingById.get(payment_id ?? '')
    openings.add(payment_id)
    return toImportedDocument(line, row, opening ? Math.min(getOpenAmount(opening.id, opening.amount), row.gross) : 0)
  })
  let skippedDocuments = 0
  const issued = parseTable('invoices').flatMap(({ line, row }) => {
    const { id, operation_id, buyer_id, from_day, kind, ...shared } = row
    if (operation_id === null || buyer_id === null || kind === 'statement') {
      skippedDocuments++
      return []
    }
    const document = { ...shared, operation_id, buyer_id, month: `${from_day.slice(0, 7)}-01` }
    return [
      toImportedDocument(
        line,
        { ...document, kind: kind === 'creditNote' ? kind : 'invoice' },
        getOpenAmount(id, row.gross),
      ),
    ]
  })
  const balances = payments.flatMap(({ line, row: { id, seller_id, buyer_id, kind, amount } }) => {
    const left = getOpenAmount(id, amount)
    if (buyer_id === null || left === 0 || openings.has(id)) return []
    if (!isKnown('sellers', seller_id) || !isKnown('participants', buyer_id))
      refuseLine(line, 'elle fait référence à un vendeur ou à un acheteur absent de l’archive.')
    return [
      {
        id,
        seller_id,
        buyer_id,
        kind: CREDIT_KINDS.includes(kind) ? 'openingCredit' : 'openingDebit',
        amount: left,
      } as const,
    ]
  })
  return { documents: [...past, ...issued], balances, skippedDocuments }
}
