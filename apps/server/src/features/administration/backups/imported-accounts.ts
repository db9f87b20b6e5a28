import type { z } from 'zod'
import { ISSUED } from '../../../db/schema/company-archive/company-archive.ts'
import { MAX_DOCUMENTS } from './archive-limits.ts'
import { type ArchiveLine, type createLineReader, type KnownIds, parseLine, refuseLine } from './parse-rows.ts'

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
export type OpeningBalance = {
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
