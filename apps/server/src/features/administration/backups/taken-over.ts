import type { z } from 'zod'
import { ISSUED } from '../../../db/schema/company-archive/company-archive.ts'
import { MAX_DOCUMENTS } from './archive-limits.ts'
import { type createLineReader, type KnownIds, type Line, parseLine, refuseLine } from './parse-rows.ts'

type Issued = { [T in keyof typeof ISSUED]: z.output<(typeof ISSUED)[T]> }

/** A document issued or taken over there, as it comes in here: found, compared and owed, never issued again. */
export type TakenOver = {
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
/** What an account held beside its documents, paid in advance or owed without one. */
export type OpeningBalance = {
  id: string
  seller_id: string
  buyer_id: string
  kind: 'openingCredit' | 'openingDebit'
  amount: number
}
export type TakenAccounts = {
  documents: TakenOver[]
  balances: OpeningBalance[]
  /** Documents that name no participant or no operation, and statements, which owe nothing. */
  leftOut: number
}

const CREDITS: Issued['payments']['kind'][] = ['receipt', 'writeOff', 'openingCredit']

/** Of every document and payment, what the others already settled of it. */
function sumMatches(matches: Issued['matches'][]): Map<string, number> {
  const settled = new Map<string, number>()
  const add = (id: string | null, amount: number) => id && settled.set(id, (settled.get(id) ?? 0) + amount)
  for (const match of matches) {
    add(match.debit_invoice_id ?? match.debit_payment_id, match.amount)
    add(match.credit_invoice_id ?? match.credit_payment_id, match.amount)
  }
  return settled
}

/** Documents issued there become documents taken over here, and accounts open on what was left of them. */
export function readTakenAccounts(readLines: ReturnType<typeof createLineReader>, known: KnownIds): TakenAccounts {
  const rowsOf = <T extends keyof Issued>(table: T) =>
    [...readLines(table, table === 'invoices' ? MAX_DOCUMENTS : undefined)].map((line) => ({
      line: { file: line.file, number: line.number, text: '' },
      row: parseLine(ISSUED[table], line) as Issued[T], // of that very table
    }))
  const payments = rowsOf('payments')
  const settled = sumMatches(rowsOf('matches').map(({ row }) => row))
  const leftOf = (id: string | null, amount: number) =>
    Math.min(Math.max(amount - (settled.get(id ?? '') ?? 0), 0), amount)
  const isKnown = (table: string, id: string) => known.get(table)?.has(id) === true
  const numbers = new Set<string>()

  function take(line: Line, document: Omit<TakenOver, 'open'>, open: number): TakenOver {
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
  const past = rowsOf('past_documents').map(({ line, row: { id: _, payment_id, ...row } }) => {
    const opening = openingById.get(payment_id ?? '')
    openings.add(payment_id)
    return take(line, row, opening ? Math.min(leftOf(opening.id, opening.amount), row.gross) : 0)
  })
  let leftOut = 0
  const issued = rowsOf('invoices').flatMap(({ line, row }) => {
    const { id, operation_id, buyer_id, from_day, kind, ...shared } = row
    if (operation_id === null || buyer_id === null || kind === 'statement') {
      leftOut++
      return []
    }
    const document = { ...shared, operation_id, buyer_id, month: `${from_day.slice(0, 7)}-01` }
    return [take(line, { ...document, kind: kind === 'creditNote' ? kind : 'invoice' }, leftOf(id, row.gross))]
  })
  const balances = payments.flatMap(({ line, row: { id, seller_id, buyer_id, kind, amount } }) => {
    const left = leftOf(id, amount)
    if (buyer_id === null || left === 0 || openings.has(id)) return []
    if (!isKnown('sellers', seller_id) || !isKnown('participants', buyer_id))
      refuseLine(line, 'elle fait référence à un vendeur ou à un acheteur absent de l’archive.')
    return [
      {
        id,
        seller_id,
        buyer_id,
        kind: CREDITS.includes(kind) ? 'openingCredit' : 'openingDebit',
        amount: left,
      } as const,
    ]
  })
  return { documents: [...past, ...issued], balances, leftOut }
}
