import type { RegulatoryObligation } from '@voisol/contract/regulatory'
import { addMonths } from '@voisol/energy/calendar'
import { formatCount, formatFrenchDay, formatFrenchMonth, formatMonthWithDe } from '@voisol/file-formats/french'
import { addDays } from '@voisol/money/days'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { dutyMarks, operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { listMovements, MOVEMENT_LABELS, type Movement } from './participation-movements.ts'

async function loadDutyTerms(db: Db, companyId: number, day: string): Promise<DutyTerms> {
  const settings = await loadSettingsOn(db, companyId, day)
  return {
    movementDays: settings['duty.movementDays'].value,
    coefficientDays: settings['duty.coefficientDays'].value,
    consentDays: settings['duty.consentDays'].value,
    vatDay: settings['duty.vatDay'].value,
    yearlyDays: settings['duty.yearlyDays'].value,
  }
}

/** The obligations of a company in a year, done or not. */
export async function loadDutyCalendar(db: Db, companyId: number, year: number): Promise<RegulatoryObligation[]> {
  const day = getToday()
  const terms = await loadDutyTerms(db, companyId, day)
  return buildDuties(await loadDutyFacts(db, companyId, year, terms, day), terms, year, day)
}

/** Finds an obligation by its key, in the surrounding years. */
async function requireDuty(db: Db, companyId: number, key: string): Promise<RegulatoryObligation> {
  const now = Number(getToday().slice(0, 4))
  for (const year of [now, now + 1, now - 1, now - 2]) {
    const found = (await loadDutyCalendar(db, companyId, year)).find((duty) => duty.key === key)
    if (found) return found
  }
  throw new AppError('not-found')
}

type MarkDutyInput = { key: string; doneOn: string; note: string }

export async function markDuty(tx: Db, actor: Actor, { key, doneOn, note }: MarkDutyInput) {
  const { companyId } = actor
  await requireDuty(tx, companyId, key)
  if (doneOn > getToday())
    throw fieldError('doneOn', 'Une obligation se note une fois remplie\u00a0: cette date est à venir.')
  const values = { doneOn, note, createdBy: formatActorName(actor) }
  await tx
    .insert(dutyMarks)
    .values({ companyId, duty: key, ...values })
    .onConflictDoUpdate({ target: [dutyMarks.companyId, dutyMarks.duty], set: values })
  return requireDuty(tx, companyId, key)
}

export async function unmarkDuty(tx: Db, actor: Actor, key: string) {
  const [removedMark] = await tx
    .delete(dutyMarks)
    .where(and(eq(dutyMarks.companyId, actor.companyId), eq(dutyMarks.duty, key)))
    .returning()
  if (!removedMark) throw new AppError('not-found')
  return removedMark
}

/** Days and delays, from the company's settings. */
type DutyTerms = {
  movementDays: number
  coefficientDays: number
  consentDays: number
  vatDay: number
  yearlyDays: number
}
type DutyMark = { doneOn: string; by: string; note: string }
export type DutyFacts = {
  operations: { id: string; name: string }[]
  /** Movements by operation; `toldOn` when a notice or the participation gives the day. */
  movements: (Movement & { operationId: string; toldOn: string | null })[]
  /** Months of operations whose coefficients must be sent; years in which an operation ran. */
  dynamic: { operationId: string; month: string; sentOn: string | null }[]
  years: { operationId: string; year: string; sentOn: string | null }[]
  /** Months in which a seller issued documents with VAT. */
  taxed: { sellerId: string; seller: string; month: string }[]
  /** Consents to data collection that end without renewal, by participant. */
  expiries: { participantId: string; expiresOn: string }[]
  marks: ReadonlyMap<string, DutyMark>
}
type DutyDraft = Pick<RegulatoryObligation, 'key' | 'label' | 'detail' | 'dueOn' | 'make'> & { sentOn?: string | null }

/** An obligation due within this many days is due soon. */
const DUE_SOON_DAYS = 14

function toDuty(
  { sentOn = null, ...draft }: DutyDraft,
  marks: DutyFacts['marks'],
  today: string,
): RegulatoryObligation {
  const mark = marks.get(draft.key)
  const doneOn = mark?.doneOn ?? sentOn
  const open = draft.dueOn < today ? 'late' : draft.dueOn <= addDays(today, DUE_SOON_DAYS) ? 'soon' : 'later'
  return { ...draft, state: doneOn ? 'done' : open, doneOn, by: mark?.by ?? '', note: mark?.note ?? '' }
}

/** Movements of an operation on one day are one obligation, done once all of them were notified. */
function buildMovementDuties({ movements, operations }: DutyFacts, { movementDays }: DutyTerms): DutyDraft[] {
  const names = new Map(operations.map(({ id, name }) => [id, name]))
  return [...Map.groupBy(movements, ({ operationId, on }) => `movements:${operationId}:${on}`)].flatMap(
    ([key, own]) => {
      const [first] = own
      if (!first) return []
      const counts = [...Map.groupBy(own, ({ what }) => what)].map(
        ([what, some]) => `${MOVEMENT_LABELS[what].toLowerCase()} (${some.length})`,
      )
      const noticeDays = own.map(({ toldOn }) => toldOn)
      return [
        {
          key,
          label: `Annoncer au distributeur les mouvements du ${formatFrenchDay(first.on)}`,
          detail: `${names.get(first.operationId) ?? ''}\u00a0: ${counts.join(', ')}`,
          dueOn: addDays(first.on, -movementDays),
          make: { operationId: first.operationId, kind: 'movements', period: first.on.slice(0, 7) },
          sentOn: noticeDays.every((day) => day !== null) ? (noticeDays.toSorted().at(-1) ?? null) : null,
        },
      ]
    },
  )
}

function buildPeriodicDuties({ operations, dynamic, years, taxed }: DutyFacts, terms: DutyTerms): DutyDraft[] {
  const names = new Map(operations.map(({ id, name }) => [id, name]))
  return [
    ...dynamic.map(
      ({ operationId, month, sentOn }): DutyDraft => ({
        key: `coefficients:${operationId}:${month}`,
        label: `Transmettre les coefficients ${formatMonthWithDe(`${month}-01`)}`,
        detail: names.get(operationId) ?? '',
        dueOn: addDays(addMonths(`${month}-01`, 1), terms.coefficientDays - 1),
        make: { operationId, kind: 'coefficients', period: month },
        sentOn,
      }),
    ),
    ...years.map(
      ({ operationId, year, sentOn }): DutyDraft => ({
        key: `yearly:${operationId}:${year}`,
        label: `Établir le bilan de l’année ${year}`,
        detail: names.get(operationId) ?? '',
        dueOn: addDays(`${Number(year) + 1}-01-01`, terms.yearlyDays - 1),
        make: { operationId, kind: 'yearly', period: year },
        sentOn,
      }),
    ),
    ...taxed.map(
      ({ sellerId, seller, month }): DutyDraft => ({
        key: `vat:${sellerId}:${month}`,
        label: `Déclarer la TVA ${formatMonthWithDe(`${month}-01`)}`,
        detail: seller,
        dueOn: addDays(addMonths(`${month}-01`, 1), terms.vatDay - 1),
        make: null,
      }),
    ),
  ]
}

function buildConsentDuties({ expiries }: DutyFacts, { consentDays }: DutyTerms): DutyDraft[] {
  return [...Map.groupBy(expiries, ({ expiresOn }) => expiresOn.slice(0, 7))].flatMap(([month, own]) => {
    const first = own.map(({ expiresOn }) => expiresOn).toSorted()[0]
    if (!first) return []
    return [
      {
        key: `consents:${month}`,
        label: `Renouveler les consentements qui finissent en ${formatFrenchMonth(`${month}-01`)}`,
        detail: `${formatCount(own.length, 'participant', 'participants')}, le premier le ${formatFrenchDay(first)}`,
        dueOn: addDays(first, -consentDays),
        make: null,
      },
    ]
  })
}

/** The obligations of a year, earliest first. */
export function buildDuties(facts: DutyFacts, terms: DutyTerms, year: number, today: string): RegulatoryObligation[] {
  return [
    ...buildMovementDuties(facts, terms),
    ...buildPeriodicDuties(facts, terms),
    ...buildConsentDuties(facts, terms),
  ]
    .filter(({ dueOn }) => dueOn.startsWith(`${year}-`))
    .map((draft) => toDuty(draft, facts.marks, today))
    .sort((a, b) => (a.dueOn === b.dueOn ? a.key.localeCompare(b.key) : a.dueOn < b.dueOn ? -1 : 1))
}

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
async function loadDutyFacts(
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

const REMINDER_DAYS = 7

/** At most two reminders: before the due day, and the morning after it. Older ones are only shown on screen. */
function getReminderKind({ state, dueOn }: RegulatoryObligation, day: string): 'near' | 'late' | null {
  if (state === 'done' || state === 'later') return null
  if (dueOn >= day) return dueOn <= addDays(day, REMINDER_DAYS) ? 'near' : null
  return dueOn >= addDays(day, -REMINDER_DAYS) ? 'late' : null
}

/** Reminds the users in charge of declarations, once for each reminder. */
export async function remindDuties(deps: Deps, { companyId }: { companyId: number }) {
  const day = getToday()
  const years = [
    ...new Set([addDays(day, -REMINDER_DAYS), day, addDays(day, REMINDER_DAYS)].map((one) => Number(one.slice(0, 4)))),
  ]
  const duties: RegulatoryObligation[] = []
  for (const year of years) duties.push(...(await loadDutyCalendar(deps.db, companyId, year)))
  for (const duty of duties) {
    const when = getReminderKind(duty, day)
    if (!when) continue
    await notify(deps.db, deps, {
      companyId,
      to: { permission: 'declarations.write' },
      category: 'billing',
      type: 'warning',
      priority: when === 'late' ? 'high' : 'normal',
      title: when === 'late' ? `En retard\u00a0: ${duty.label}` : duty.label,
      message: `À faire avant le ${formatFrenchDay(duty.dueOn)}. ${duty.detail}.`,
      action: {
        label: 'Ouvrir le calendrier',
        url: `/regulatory-exports?tab=calendrier&annee=${duty.dueOn.slice(0, 4)}`,
      },
      key: `duty ${duty.key} ${when}`,
    })
  }
}
