import type { BookSettings } from '@voisol/contract/book-settings'
import type { BookEntry } from '@voisol/money/accounts/book'
import { exerciseOf } from '@voisol/money/accounts/book-lock'
import { openingEntry, openings, type YearSum } from '@voisol/money/accounts/book-opening'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { today } from '../../../today.ts'
import type { Entity } from './entity.ts'

type Row = Omit<YearSum, 'cents'> & { cents: string }

/** What locked months hold, by year; what a year was opened with is told by the years before it. */
async function lockedSums(db: Db, { companyId, id }: Entity): Promise<YearSum[]> {
  const { rows } = await db.execute<Row>(sql`
    select l.account, l.aux, max(l.aux_label) as "auxLabel", e.year_from::text as "yearFrom", sum(l.debit - l.credit) as cents
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${companyId} and e.seller_id = ${id} and e.journal <> 'opening'
     group by l.account, l.aux, e.year_from`)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

const draftSums = (drafts: readonly BookEntry[], yearStart: number): YearSum[] =>
  drafts.flatMap(({ day, rows }) => {
    const { from: yearFrom } = exerciseOf(day, yearStart)
    return rows.map(({ account, aux, auxLabel, debit, credit }) => {
      const about = { account, aux, auxLabel, yearFrom }
      return { ...about, cents: debit - credit }
    })
  })

/** The openings of the years whose first month is not locked; one that is locked holds its own, or was never opened. */
export async function openingEntries(
  db: Db,
  entity: Entity,
  { yearStart, chart }: BookSettings,
  { openFrom, drafts }: { openFrom: string | null; drafts: readonly BookEntry[] },
): Promise<BookEntry[]> {
  const sums = [...(await lockedSums(db, entity)), ...draftSums(drafts, yearStart)]
  const [first] = sums.map(({ yearFrom }) => yearFrom).sort()
  if (!first) return []
  return openings(first, today(), yearStart)
    .filter((from) => openFrom === null || from >= openFrom)
    .flatMap((from) => openingEntry(from, sums, chart) ?? [])
}
