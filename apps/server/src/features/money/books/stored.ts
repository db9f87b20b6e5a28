import type { JournalName } from '@voisol/money/accounts/chart'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Entity } from './entity.ts'

export type StoredLine = {
  account: string
  accountLabel: string
  aux: string
  auxLabel: string
  debit: number
  credit: number
  item: string
}
export type StoredEntry = {
  id: string
  source: string
  journal: JournalName
  journalCode: string
  journalLabel: string
  number: number
  day: string
  pieceRef: string
  pieceDay: string
  label: string
  validatedOn: string
  lines: StoredLine[]
}
type DateRange = { from: string; to: string }
const PAGE_SIZE = 4_000

const linesJsonSql = sql.raw(`(select json_agg(json_build_object('account', l.account, 'accountLabel', l.account_label,
    'aux', l.aux, 'auxLabel', l.aux_label, 'debit', l.debit, 'credit', l.credit, 'item', l.item) order by l.position)
   from book_lines l where l.company_id = e.company_id and l.entry_id = e.id)`)

/**
 * Streams the entries of locked months by journal and number, in batches, so that a year is never in memory at once.
 */
export async function* streamLockedEntries(
  db: Db,
  { companyId, id }: Entity,
  { from, to }: DateRange,
): AsyncGenerator<StoredEntry[]> {
  for (const journal of ['opening', 'sales', 'bank', 'misc'] as const)
    for (let after = { year: '0001-01-01', number: 0 }; ; ) {
      const { rows } = await db.execute<StoredEntry & { year: string }>(sql`
        select e.id, e.source, e.journal, e.journal_code as "journalCode", e.journal_label as "journalLabel", e.number,
               e.year_from::text as year, e.day::text as day, e.piece_ref as "pieceRef", e.piece_day::text as "pieceDay",
               e.label, e.validated_on::text as "validatedOn", ${linesJsonSql} as lines
          from book_entries e
         where e.company_id = ${companyId} and e.seller_id = ${id} and e.journal = ${journal}
           and e.day >= ${from} and e.day < ${to} and (e.year_from, e.number) > (${after.year}::date, ${after.number})
         order by e.year_from, e.number limit ${PAGE_SIZE}`)
      if (rows.length > 0) yield rows
      const last = rows.at(-1)
      if (!last || rows.length < PAGE_SIZE) break
      after = { year: last.year, number: last.number }
    }
}

export async function loadLockedEntries(db: Db, entity: Entity, range: DateRange): Promise<StoredEntry[]> {
  const found: StoredEntry[] = []
  for await (const page of streamLockedEntries(db, entity, range)) found.push(...page)
  return found
}
