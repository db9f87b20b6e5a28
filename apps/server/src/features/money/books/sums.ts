import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { AccountingBook } from './book.ts'

/** Debits minus credits, by journal, day of the supporting document, account and auxiliary account. */
export type BookSum = {
  journal: string
  pieceDay: string
  account: string
  aux: string
  auxLabel: string
  cents: number
}

/** All entries, locked or not, summed by key, without opening entries, which repeat the years before. */
export async function loadBookSums(db: Db, { entity, drafts }: AccountingBook): Promise<BookSum[]> {
  const { rows } = await db.execute<Omit<BookSum, 'cents'> & { cents: string }>(sql`
    select e.journal, e.piece_day::text as "pieceDay", l.account, l.aux, max(l.aux_label) as "auxLabel",
           sum(l.debit - l.credit) as cents
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${entity.companyId} and e.seller_id = ${entity.id} and e.journal <> 'opening'
     group by 1, 2, 3, 4`)
  const moved = drafts.filter(({ journal }) => journal !== 'opening')
  const open = moved.flatMap(({ journal, piece, rows: lines }) =>
    lines.map(({ account, aux, auxLabel, debit, credit }) => {
      const about = { journal, pieceDay: piece.day, account, aux, auxLabel }
      return { ...about, cents: debit - credit }
    }),
  )
  return [...rows.map((row) => ({ ...row, cents: Number(row.cents) })), ...open]
}

export const sumCentsWhere = (sums: readonly BookSum[], matchesSum: (sum: BookSum) => boolean): number =>
  sums.filter(matchesSum).reduce((total, { cents }) => total + cents, 0)
