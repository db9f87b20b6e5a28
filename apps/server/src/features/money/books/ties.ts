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
import { bookSums, type Sum, totalOf } from './sums.ts'
import { exerciseEnding, within } from './year.ts'

type Row = Tie['rows'][number]
const rowOf = (label: string, left: number, right: number): Row => ({ label, left, right, difference: left - right })

type About = Pick<Tie, 'name' | 'label'> & { left: string; right: string; note?: string }
/** Its two figures are the sums of its rows: a tie says nothing that its rows do not. */
function tieOf({ left, right, note = '', ...about }: About, rows: Row[]): Tie {
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

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Tax of the documents, by month of issue, against the accounts of VAT under the day of their piece. */
function vatTie(documents: SoldFact[], sums: Sum[], vat: string): Tie {
  const months = [...new Set(documents.map(({ issued }) => issued.slice(0, 7)))].sort()
  const rows = months.map((month) => {
    const groups = vatSummary(documents.filter(({ issued }) => issued.startsWith(month)))
    const isTax = ({ journal, pieceDay, account }: Sum) =>
      journal === 'sales' && pieceDay.startsWith(month) && account.startsWith(vat)
    const due = groups.reduce((total, { tax }) => total + tax, 0)
    return rowOf(capital(frenchMonth(`${month}-01`)), due, 0 - totalOf(sums, isTax))
  })
  return tieOf({ name: 'vat', label: 'TVA collectée', left: 'Somme des documents émis', right: `Comptes ${vat}` }, rows)
}

/** What the books say of each customer against what is open on its account. */
async function clientsTie(db: Db, { entity, settings }: Book, sums: Sum[]): Promise<Tie> {
  const { customer, doubtful, advances } = settings.chart
  const parties = await partiesOf(db, entity.companyId)
  const accounts = new Map<string, { name: string; left: number; right: number }>()
  const add = (code: string, name: string, side: 'left' | 'right', cents: number) => {
    const known = accounts.get(code) ?? { name, left: 0, right: 0 }
    accounts.set(code, { ...known, [side]: known[side] + cents })
  }
  for (const { account, aux, auxLabel, cents } of sums)
    if ([customer, doubtful, advances].includes(account)) add(aux, auxLabel, 'left', cents)
  for (const item of await openItems(db, entity.companyId, { sellerId: entity.id })) {
    const party = item.clientSellerId ? parties.seller(item.clientSellerId) : parties.customer(item.buyerId ?? '')
    add(party.code, party.name, 'right', item.side === 'debit' ? item.open : -item.open)
  }
  const rows = [...accounts.values()]
    .filter(({ left, right }) => left !== 0 || right !== 0)
    .sort((a, b) => a.name.localeCompare(b.name, 'fr'))
    .map(({ name, left, right }) => rowOf(name, left, right))
  const left = `Comptes ${customer}, ${doubtful} et ${advances}`
  return tieOf({ name: 'clients', label: 'Clients', left, right: 'Somme de ce qui est ouvert' }, rows)
}

/** A producer's statements against its sales in the books, less the fees that were invoiced to it. */
async function statementsTie(
  db: Db,
  actor: Actor,
  { entity, settings }: Book,
  sums: Sum[],
  year: number,
): Promise<Tie> {
  const { months } = await yearOf(db, actor, entity.id, year)
  const waiting = months.filter(({ settled, documents }) => !settled && documents > 0).length
  const rows = months
    .filter(({ settled }) => settled)
    .map(({ month, result, fee }) => {
      const isSale = ({ journal, pieceDay, account }: Sum) =>
        journal === 'sales' && pieceDay.startsWith(month.slice(0, 7)) && account === settings.chart.customer
      return rowOf(capital(frenchMonth(month)), result, totalOf(sums, isSale) - fee.gross)
    })
  const words = waiting === 1 ? 'Un relevé n’est pas encore arrêté.' : `${waiting} relevés ne sont pas encore arrêtés.`
  return tieOf(
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

export async function tiesOf(db: Db, actor: Actor, entity: Entity, year: number): Promise<Tie[]> {
  const book = await readBook(db, entity)
  const span = exerciseEnding(year, book.settings.yearStart)
  const sums = await bookSums(db, book)
  const documents = await documentFacts(db, entity, await partiesOf(db, entity.companyId), 'all')
  const inYear = documents.filter(({ issued }) => within(span, issued))
  return [
    vatTie(inYear, sums, book.settings.chart.vat),
    await clientsTie(db, book, sums),
    await statementsTie(db, actor, book, sums, year),
    await bankTie(db, book, sums),
  ]
}
