import type { BookSettings } from '@voisol/contract/book-settings'
import type { BookEntry } from '@voisol/money/accounts/book'
import { getFiscalYear } from '@voisol/money/accounts/book-lock'
import { buildOpeningEntry, listYearOpenings, type YearBalance } from '@voisol/money/accounts/book-opening'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import type { Entity } from './entity.ts'

type Row = Omit<YearBalance, 'cents'> & { cents: string }

/** Sums of locked months, by year, without opening entries: those only repeat the years before. */
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

/** Opening entries of the years whose first month is not locked; a locked one already holds its own. */
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
