import type { BookSettings } from '@voisol/contract/book-settings'
import type { BookEntry } from '@voisol/money/accounts/book'
import { getFiscalYear } from '@voisol/money/accounts/book-lock'
import { buildOpeningEntry, listYearOpenings, type YearBalance } from '@voisol/money/accounts/book-opening'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import type { Entity } from './entity.ts'

type Row = Omit<YearBalance, 'cents'> & { cents: string }

/** What locked months hold, by year; what a year was opened with is told by the years before it. */
async function loadLockedSums(db: Db, { companyId, id }: Entity): Promise<YearBalance[]> {
  const { rows } = await db.execute<Row>(sql`
    select l.account, l.aux, max(l.aux_label) as "auxLabel", e.year_from::text as "yearFrom", sum(l.debit - l.credit) as cents
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${companyId} and e.seller_id = ${id} and e.journal <> 'opening'
     group by l.account, l.aux, e.year_from`)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

const sumDraftsByYear = (drafts: readonly BookEntry[], yearStart: number): YearBalance[] =>
  drafts.flatMap(({ day, rows }) => {
    const { from: yearFrom } = getFiscalYear(day, yearStart)
    return rows.map(({ account, aux, auxLabel, debit, credit }) => {
      const about = { account, aux, auxLabel, yearFrom }
      return { ...about, cents: debit - credit }
    })
  })

/** The openings of the years whose first month is not locked; one that is locked holds its own, or was never opened. */
export async function loadOpeningEntries(
  db: Db,
  entity: Entity,
  { yearStart, chart }: BookSettings,
  { openFrom, drafts }: { openFrom: string | null; drafts: readonly BookEntry[] },
): Promise<BookEntry[]> {
  const sums = [...(await loadLockedSums(db, entity)), ...sumDraftsByYear(drafts, yearStart)]
  const [first] = sums.map(({ yearFrom }) => yearFrom).sort()
  if (!first) return []
  return listYearOpenings(first, getToday(), yearStart)
    .filter((from) => openFrom === null || from >= openFrom)
    .flatMap((from) => buildOpeningEntry(from, sums, chart) ?? [])
}
