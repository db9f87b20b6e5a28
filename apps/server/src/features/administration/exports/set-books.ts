import { loadBook, loadEntity, loadEntries } from '../../money/books/books.ts'
import { loadSellers } from '../../money/parties/parties.ts'
import {
  type DataBatch,
  type DataSetQuery,
  type DataSetSource,
  dayColumn,
  integerColumn,
  textColumn,
  toColumnTable,
} from './data-set.ts'

const ENTRY_COLUMNS = [
  textColumn('seller_id', 'Identifiant de l’entité'),
  textColumn('journal', 'Code du journal'),
  integerColumn('number', 'Numéro, vide tant que le mois n’est pas verrouillé'),
  dayColumn('day', 'Jour de l’écriture'),
  textColumn('piece', 'Pièce'),
  dayColumn('piece_day', 'Jour de la pièce'),
  textColumn('label', 'Libellé'),
  textColumn('account', 'Compte'),
  textColumn('account_label', 'Libellé du compte'),
  textColumn('aux', 'Compte auxiliaire'),
  integerColumn('debit_cents', 'Débit', 'centime'),
  integerColumn('credit_cents', 'Crédit', 'centime'),
  textColumn('letter', 'Lettrage'),
]

/** Calendar years, clipped to the period. */
function* splitByYear(from: string, to: string): Generator<{ from: string; to: string }> {
  for (let start = from; start < to; ) {
    const next = `${Number(start.slice(0, 4)) + 1}-01-01`
    const end = next < to ? next : to
    yield { from: start, to: end }
    start = end
  }
}

/**
 * Reads one year of one entity at a time, since lettering is computed over a year; entries of open months are derived
 * from their source documents.
 */
async function* readEntryBatches({ db, actor, from, to }: DataSetQuery, after: string): AsyncGenerator<DataBatch> {
  const [doneSeller = '', doneTo = ''] = after.split(' ')
  const sellers = (await loadSellers(db, actor.companyId)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id } of sellers) {
    if (after && id < doneSeller) continue
    const book = await loadBook(db, await loadEntity(db, actor.companyId, id))
    for (const span of splitByYear(after && id === doneSeller ? doneTo : from, to)) {
      const rows = (await loadEntries(db, book, span)).flatMap((entry) =>
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
      if (rows.length) yield { cursor: `${id} ${span.to}`, size: rows.length, data: toColumnTable(ENTRY_COLUMNS, rows) }
    }
  }
}

export const entrySource: DataSetSource = {
  about: 'Une ligne par ligne d’écriture, de chaque entité.',
  columns: ENTRY_COLUMNS,
  read: readEntryBatches,
  async count(asking) {
    let sum = 0
    for await (const { size } of readEntryBatches(asking, '')) sum += size
    return sum
  },
}
