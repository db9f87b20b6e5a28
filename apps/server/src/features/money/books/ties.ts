import type { ControlTotal } from '@voisol/contract/book-views'
import { summarizeVat } from '@voisol/money/accounts/summaries'
import type { Db } from '../../../db/client.ts'
import { formatFrenchMonth } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadOpenItems } from '../payments/payments.ts'
import { loadStatementYear } from '../statements/statements.ts'
import { loadBankControlTotal } from './bank-tie.ts'
import { type AccountingBook, loadBook } from './book.ts'
import { loadDocumentFacts, type SoldFact } from './document-facts.ts'
import { type Entity, loadParties } from './entity.ts'
import { type BookSum, loadBookSums, sumCentsWhere } from './sums.ts'
import { getAccountingYear, isInPeriod } from './year.ts'

type ControlRow = ControlTotal['rows'][number]
const buildControlRow = (label: string, left: number, right: number): ControlRow => ({
  label,
  left,
  right,
  difference: left - right,
})

type ControlLabels = Pick<ControlTotal, 'name' | 'label'> & { left: string; right: string; note?: string }
/** The totals are computed from the rows, so they can never disagree with them. */
function buildControlTotal({ left, right, note = '', ...about }: ControlLabels, rows: ControlRow[]): ControlTotal {
  const sum = (side: 'left' | 'right') => rows.reduce((total, row) => total + row[side], 0)
  return {
    ...about,
    left: { label: left, cents: sum('left') },
    right: { label: right, cents: sum('right') },
    difference: sum('left') - sum('right'),
    note,
    rows,
  }
}

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** VAT of the documents by month of issue, against the VAT accounts by day of the supporting document. */
function buildVatControlTotal(documents: SoldFact[], sums: BookSum[], vat: string): ControlTotal {
  const months = [...new Set(documents.map(({ issued }) => issued.slice(0, 7)))].sort()
  const rows = months.map((month) => {
    const groups = summarizeVat(documents.filter(({ issued }) => issued.startsWith(month)))
    const isTax = ({ journal, pieceDay, account }: BookSum) =>
      journal === 'sales' && pieceDay.startsWith(month) && account.startsWith(vat)
    const due = groups.reduce((total, { tax }) => total + tax, 0)
    return buildControlRow(capitalize(formatFrenchMonth(`${month}-01`)), due, 0 - sumCentsWhere(sums, isTax))
  })
  return buildControlTotal(
    { name: 'vat', label: 'TVA collectée', left: 'Somme des documents émis', right: `Comptes ${vat}` },
    rows,
  )
}

/** The books' balance of each customer against the open items of its account. */
async function loadClientsControlTotal(
  db: Db,
  { entity, settings }: AccountingBook,
  sums: BookSum[],
): Promise<ControlTotal> {
  const { customer, doubtful, advances } = settings.chart
  const parties = await loadParties(db, entity.companyId)
  const accounts = new Map<string, { name: string; left: number; right: number }>()
  const add = (code: string, name: string, side: 'left' | 'right', cents: number) => {
    const known = accounts.get(code) ?? { name, left: 0, right: 0 }
    accounts.set(code, { ...known, [side]: known[side] + cents })
  }
  for (const { account, aux, auxLabel, cents } of sums)
    if ([customer, doubtful, advances].includes(account)) add(aux, auxLabel, 'left', cents)
  for (const item of await loadOpenItems(db, entity.companyId, { sellerId: entity.id })) {
    const party = item.clientSellerId ? parties.seller(item.clientSellerId) : parties.customer(item.buyerId ?? '')
    add(party.code, party.name, 'right', item.side === 'debit' ? item.open : -item.open)
  }
  const rows = [...accounts.values()]
    .filter(({ left, right }) => left !== 0 || right !== 0)
    .sort((a, b) => a.name.localeCompare(b.name, 'fr'))
    .map(({ name, left, right }) => buildControlRow(name, left, right))
  const left = `Comptes ${customer}, ${doubtful} et ${advances}`
  return buildControlTotal({ name: 'clients', label: 'Clients', left, right: 'Somme de ce qui est ouvert' }, rows)
}

/** A producer's statements against its sales in the books, minus the fees invoiced to it. */
async function loadStatementsControlTotal(
  db: Db,
  actor: Actor,
  { entity, settings }: AccountingBook,
  sums: BookSum[],
  year: number,
): Promise<ControlTotal> {
  const { months } = await loadStatementYear(db, actor, entity.id, year)
  const waiting = months.filter(({ settled, documents }) => !settled && documents > 0).length
  const rows = months
    .filter(({ settled }) => settled)
    .map(({ month, result, fee }) => {
      const isSale = ({ journal, pieceDay, account }: BookSum) =>
        journal === 'sales' && pieceDay.startsWith(month.slice(0, 7)) && account === settings.chart.customer
      return buildControlRow(capitalize(formatFrenchMonth(month)), result, sumCentsWhere(sums, isSale) - fee.gross)
    })
  const words = waiting === 1 ? 'Un relevé n’est pas encore arrêté.' : `${waiting} relevés ne sont pas encore arrêtés.`
  return buildControlTotal(
    {
      name: 'statements',
      label: 'Relevés des producteurs',
      left: 'Résultat des relevés',
      right: 'Ventes moins frais facturés',
      note: waiting > 0 ? words : '',
    },
    rows,
  )
}

export async function loadControlTotals(db: Db, actor: Actor, entity: Entity, year: number): Promise<ControlTotal[]> {
  const book = await loadBook(db, entity)
  const period = getAccountingYear(year, book.settings.yearStart)
  const sums = await loadBookSums(db, book)
  const documents = await loadDocumentFacts(db, entity, await loadParties(db, entity.companyId), 'all')
  const inYear = documents.filter(({ issued }) => isInPeriod(period, issued))
  return [
    buildVatControlTotal(inYear, sums, book.settings.chart.vat),
    await loadClientsControlTotal(db, book, sums),
    await loadStatementsControlTotal(db, actor, book, sums, year),
    await loadBankControlTotal(db, book, sums),
  ]
}
