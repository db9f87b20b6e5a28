import type { Tie } from '@voisol/contract/book-views'
import { vatSummary } from '@voisol/money/accounts/summaries'
import type { Db } from '../../../db/client.ts'
import { frenchMonth } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { openItems } from '../payments/payments.ts'
import { yearOf } from '../statements/statements.ts'
import { bankTie } from './bank-tie.ts'
import { type Book, readBook } from './book.ts'
import { documentFacts, type SoldFact } from './document-facts.ts'
import { type Entity, partiesOf } from './entity.ts'
import { entriesOver, type ShownEntry } from './entries.ts'
import { exerciseEnding, type Span, within } from './year.ts'

type Row = Tie['rows'][number]
type Side = { label: string; row: (row: Row) => number }
const rowOf = (label: string, left: number, right: number): Row => ({ label, left, right, difference: left - right })
const sum = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)

/** Its two figures are the sums of its rows: a tie says nothing that its rows do not. */
function tieOf(
  about: Pick<Tie, 'name' | 'label'>,
  left: Side['label'],
  right: Side['label'],
  rows: Row[],
  note = '',
): Tie {
  const [ours, theirs] = [sum(rows, (row) => row.left), sum(rows, (row) => row.right)]
  return {
    ...about,
    left: { label: left, cents: ours },
    right: { label: right, cents: theirs },
    difference: ours - theirs,
    note,
    rows,
  }
}

const EVER: Span = { from: '0001-01-01', to: '9999-12-31' }
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Tax of the documents, by month of issue, against the accounts of VAT under the day of their piece. */
function vatTie(documents: SoldFact[], entries: ShownEntry[], vat: string): Tie {
  const booked = entries.filter(({ journal }) => journal === 'sales')
  const months = [...new Set(documents.map(({ issued }) => issued.slice(0, 7)))].sort()
  const rows = months.map((month) => {
    const groups = vatSummary(documents.filter(({ issued }) => issued.startsWith(month)))
    const lines = booked.filter(({ pieceDay }) => pieceDay.startsWith(month)).flatMap((entry) => entry.lines)
    const credited = lines.filter(({ account }) => account.startsWith(vat)).reduce((s, l) => s + l.credit - l.debit, 0)
    return rowOf(
      capital(frenchMonth(`${month}-01`)),
      groups.reduce((total, { tax }) => total + tax, 0),
      credited,
    )
  })
  return tieOf({ name: 'vat', label: 'TVA collectée' }, 'Somme des documents émis', `Comptes ${vat}`, rows)
}

/** What the books say of each customer against what is open on its account. */
async function clientsTie(db: Db, book: Book, entries: ShownEntry[]): Promise<Tie> {
  const { customer, doubtful, advances } = book.settings.chart
  const parties = await partiesOf(db, book.entity.companyId)
  const accounts = new Map<string, { name: string; left: number; right: number }>()
  const add = (code: string, name: string, side: 'left' | 'right', cents: number) => {
    const known = accounts.get(code) ?? { name, left: 0, right: 0 }
    accounts.set(code, { ...known, [side]: known[side] + cents })
  }
  for (const { lines } of entries)
    for (const { account, aux, auxLabel, debit, credit } of lines)
      if ([customer, doubtful, advances].includes(account)) add(aux, auxLabel, 'left', debit - credit)
  for (const item of await openItems(db, book.entity.companyId, { sellerId: book.entity.id })) {
    const party = item.clientSellerId ? parties.seller(item.clientSellerId) : parties.customer(item.buyerId ?? '')
    add(party.code, party.name, 'right', item.side === 'debit' ? item.open : -item.open)
  }
  const rows = [...accounts.values()]
    .filter(({ left, right }) => left !== 0 || right !== 0)
    .sort((a, b) => a.name.localeCompare(b.name, 'fr'))
    .map(({ name, left, right }) => rowOf(name, left, right))
  const label = `Comptes ${customer}, ${doubtful} et ${advances}`
  return tieOf({ name: 'clients', label: 'Clients' }, label, 'Somme de ce qui est ouvert', rows)
}

/** A producer's statements against its sales in the books, less the fees that were invoiced to it. */
async function statementsTie(db: Db, actor: Actor, book: Book, entries: ShownEntry[], year: number): Promise<Tie> {
  const { entity, settings } = book
  const { months } = await yearOf(db, actor, entity.id, year)
  const told = months.filter(({ settled }) => settled)
  const waiting = months.filter(({ settled, documents }) => !settled && documents > 0).length
  const rows = told.map(({ month, result, fee }) => {
    const lines = entries
      .filter(({ journal, pieceDay }) => journal === 'sales' && pieceDay.startsWith(month.slice(0, 7)))
      .flatMap((entry) => entry.lines)
    const sales = lines
      .filter(({ account }) => account === settings.chart.customer)
      .reduce((s, l) => s + l.debit - l.credit, 0)
    return rowOf(capital(frenchMonth(month)), result, sales - fee.gross)
  })
  const note =
    waiting > 0
      ? `${waiting === 1 ? 'Un relevé n’est pas encore arrêté' : `${waiting} relevés ne sont pas encore arrêtés`}.`
      : ''
  return tieOf(
    { name: 'statements', label: 'Relevés des producteurs' },
    'Résultat des relevés',
    'Ventes moins frais facturés',
    rows,
    note,
  )
}

export async function tiesOf(db: Db, actor: Actor, entity: Entity, year: number): Promise<Tie[]> {
  const book = await readBook(db, entity)
  const span = exerciseEnding(year, book.settings.yearStart)
  const everything = await entriesOver(db, book, EVER)
  const documents = await documentFacts(db, entity, await partiesOf(db, entity.companyId), 'all')
  const inYear = documents.filter(({ issued }) => within(span, issued))
  return [
    vatTie(inYear, everything, book.settings.chart.vat),
    await clientsTie(db, book, everything),
    await statementsTie(db, actor, book, everything, year),
    await bankTie(db, book, everything),
  ]
}
