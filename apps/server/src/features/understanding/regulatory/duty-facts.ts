import { addMonths } from '@voisol/energy/calendar'
import { addDays } from '@voisol/money/days'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { dutyMarks, operations } from '../../../db/schema/index.ts'
import type { DutyFacts, DutyTerms } from './duties.ts'
import { listMovements } from './movements.ts'

type DayRange = { from: string; to: string }

/** By movement, the first day on which a version that names it was sent. */
async function loadMovementNoticeDays(db: Db, companyId: number): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ subject: string; day: string }>(sql`
    select subject, min(s.sent_on)::text as day
      from regulatory_exports e
      join regulatory_sendings s on s.company_id = e.company_id and s.export_id = e.id
     cross join lateral jsonb_array_elements_text(e.subjects) subject
     where e.company_id = ${companyId} and e.kind = 'movements'
     group by subject`)
  return new Map(rows.map(({ subject, day }) => [subject, day]))
}

/** By « kind operation period », the first day on which a version was sent. */
async function loadExportSentDays(db: Db, companyId: number): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ key: string; day: string }>(sql`
    select concat_ws(' ', e.kind, e.operation_id, e.period) as key, min(s.sent_on)::text as day
      from regulatory_exports e
      join regulatory_sendings s on s.company_id = e.company_id and s.export_id = e.id
     where e.company_id = ${companyId} and e.kind in ('coefficients', 'yearly')
     group by 1`)
  return new Map(rows.map(({ key, day }) => [key, day]))
}

/** Past months of operations in service whose key is made of coefficients. */
async function listMonthsWithCoefficients(db: Db, companyId: number, { from, to }: DayRange, today: string) {
  const { rows } = await db.execute<{ operationId: string; month: string }>(sql`
    select o.id as "operationId", to_char(m, 'YYYY-MM') as month
      from operations o
     cross join generate_series(${from}::date, ${to}::date - 1, interval '1 month') m
     where o.company_id = ${companyId} and o.starts_on < m + interval '1 month' and m + interval '1 month' <= ${today}::date
       and (o.ends_on is null or o.ends_on > m)
       and exists (select 1 from keys k
             where k.company_id = ${companyId} and k.operation_id = o.id and k.status = 'adopted' and k.method = 'complete'
               and k.starts_on < m + interval '1 month'
               and not exists (select 1 from keys later where later.company_id = ${companyId}
                 and later.operation_id = k.operation_id and later.status = 'adopted'
                 and later.starts_on > k.starts_on and later.starts_on <= m))`)
  return rows
}

async function listOperatedYears(db: Db, companyId: number, year: number) {
  const { rows } = await db.execute<{ operationId: string; year: string }>(sql`
    select id as "operationId", ${String(year - 1)} as year from operations
     where company_id = ${companyId} and starts_on < ${`${year}-01-01`} and (ends_on is null or ends_on > ${`${year - 1}-01-01`})`)
  return rows
}

async function listMonthsWithVat(db: Db, companyId: number, { from, to }: DayRange) {
  const { rows } = await db.execute<{ sellerId: string; seller: string; month: string }>(sql`
    select i.seller_id as "sellerId", s.name as seller, to_char(i.issued_on, 'YYYY-MM') as month
      from invoices i join sellers s on s.company_id = i.company_id and s.id = i.seller_id
     where i.company_id = ${companyId} and i.tax <> 0 and i.issued_on >= ${from} and i.issued_on < ${to}
     group by 1, 2, 3`)
  return rows
}

/** The last consent of each member: a renewed or withdrawn one is no obligation. */
async function listExpiringConsents(db: Db, companyId: number, { from, to }: DayRange) {
  const { rows } = await db.execute<{ participantId: string; expiresOn: string }>(sql`
    select c.participant_id as "participantId", c.expires_on::text as "expiresOn"
      from (select distinct on (participant_id) * from consents
             where company_id = ${companyId} and purpose = 'collection'
             order by participant_id, created_at desc, id desc) c
     where c.withdrawn_at is null and c.expires_on >= ${from} and c.expires_on < ${to}
       and exists (select 1 from participations p where p.company_id = ${companyId}
         and p.participant_id = c.participant_id and (p.ends_on is null or p.ends_on > c.expires_on))`)
  return rows
}

async function loadDutyMarks(db: Db, companyId: number): Promise<DutyFacts['marks']> {
  const rows = await db.select().from(dutyMarks).where(eq(dutyMarks.companyId, companyId))
  return new Map(rows.map(({ duty, doneOn, createdBy: by, note }) => [duty, { doneOn, by, note }]))
}

/** The facts around a year: what takes effect in January is due in December. */
export async function loadDutyFacts(
  db: Db,
  companyId: number,
  year: number,
  terms: DutyTerms,
  today: string,
): Promise<DutyFacts> {
  const effectWindow = {
    from: `${year}-01-01`,
    to: addDays(`${year + 1}-01-01`, Math.max(terms.movementDays, terms.consentDays) + 1),
  }
  const months = { from: addMonths(`${year}-01-01`, -2), to: `${year + 1}-01-01` }
  const [noticeDays, sentDays] = [await loadMovementNoticeDays(db, companyId), await loadExportSentDays(db, companyId)]
  const movementRows = await listMovements(db, companyId, effectWindow.from, effectWindow.to)
  return {
    operations: await db
      .select({ id: operations.id, name: operations.name })
      .from(operations)
      .where(and(eq(operations.companyId, companyId)))
      .orderBy(asc(operations.id)),
    movements: movementRows.map((move) => ({
      ...move,
      toldOn: move.noticeOn ?? noticeDays.get(`${move.what}:${move.id}`) ?? null,
    })),
    dynamic: (await listMonthsWithCoefficients(db, companyId, months, today)).map((row) => ({
      ...row,
      sentOn: sentDays.get(`coefficients ${row.operationId} ${row.month}`) ?? null,
    })),
    years: (await listOperatedYears(db, companyId, year)).map((row) => ({
      ...row,
      sentOn: sentDays.get(`yearly ${row.operationId} ${row.year}`) ?? null,
    })),
    taxed: await listMonthsWithVat(db, companyId, months),
    expiries: await listExpiringConsents(db, companyId, effectWindow),
    marks: await loadDutyMarks(db, companyId),
  }
}
