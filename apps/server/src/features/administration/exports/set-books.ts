import { entriesOver, findEntity, readBook } from '../../money/books/books.ts'
import { sellersOf } from '../../money/parties/parties.ts'
import { type Asking, type Batch, day, integer, type Source, tableOf, text } from './data-set.ts'

const ENTRIES = [
  text('seller_id', 'Identifiant de l’entité'),
  text('journal', 'Code du journal'),
  integer('number', 'Numéro, vide tant que le mois n’est pas verrouillé'),
  day('day', 'Jour de l’écriture'),
  text('piece', 'Pièce'),
  day('piece_day', 'Jour de la pièce'),
  text('label', 'Libellé'),
  text('account', 'Compte'),
  text('account_label', 'Libellé du compte'),
  text('aux', 'Compte auxiliaire'),
  integer('debit_cents', 'Débit', 'centime'),
  integer('credit_cents', 'Crédit', 'centime'),
  text('letter', 'Lettrage'),
]

/** Calendar years, cut at the ends of the period. */
function* yearsBetween(from: string, to: string): Generator<{ from: string; to: string }> {
  for (let start = from; start < to; ) {
    const next = `${Number(start.slice(0, 4)) + 1}-01-01`
    const end = next < to ? next : to
    yield { from: start, to: end }
    start = end
  }
}

/** A year of an entity at a time, since what settles what is found over a year; open months follow from their facts. */
async function* batches({ db, actor, from, to }: Asking, after: string): AsyncGenerator<Batch> {
  const [doneSeller = '', doneTo = ''] = after.split(' ')
  const sellers = (await sellersOf(db, actor.companyId)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id } of sellers) {
    if (after && id < doneSeller) continue
    const book = await readBook(db, await findEntity(db, actor.companyId, id))
    for (const span of yearsBetween(after && id === doneSeller ? doneTo : from, to)) {
      const rows = (await entriesOver(db, book, span)).flatMap((entry) =>
        entry.lines.map((line) => ({
          seller_id: id,
          journal: entry.journalCode,
          number: entry.number,
          day: entry.day,
          piece: entry.pieceRef,
          piece_day: entry.pieceDay,
          label: entry.label,
          account: line.account,
          account_label: line.accountLabel,
          aux: line.aux,
          debit_cents: line.debit,
          credit_cents: line.credit,
          letter: line.letter,
        })),
      )
      if (rows.length) yield { cursor: `${id} ${span.to}`, size: rows.length, data: tableOf(ENTRIES, rows) }
    }
  }
}

export const entrySource: Source = {
  about: 'Une ligne par ligne d’écriture, de chaque entité.',
  columns: ENTRIES,
  read: batches,
  async count(asking) {
    let sum = 0
    for await (const { size } of batches(asking, '')) sum += size
    return sum
  },
}
