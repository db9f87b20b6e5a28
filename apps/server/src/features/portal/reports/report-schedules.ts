import { ReportSubject } from '@voisol/contract/report-blocks'
import type { NewSchedule, ReportSchedule, ReportTemplate, ScheduleUpdate } from '@voisol/contract/reports'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import type { z } from 'zod'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { memberships, reportSchedules, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { requireAccess } from '../../../http/authorize.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../../identity/notifications/index.ts'
import { getTemplateId, issueReport, listRequiredPermissions } from './issue-report.ts'
import { loadReportTemplate } from './report-templates.ts'
import { getLastCompletePeriod, getNextSendDay, loadReportSubject, toSubjectColumns } from './subject-and-period.ts'

type ReportReader = { id: string; name: string; email: string }
const MAX_READERS = 1_000

/** The current members of the company: nobody else receives a report. */
export async function listReportReaders(db: Db, companyId: number, ids?: string[]): Promise<ReportReader[]> {
  if (ids?.length === 0) return []
  const rows = await db
    .select({ id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.companyId, companyId),
        isNotNull(memberships.acceptedAt),
        isNull(memberships.disabledAt),
        ids && inArray(users.id, ids),
      ),
    )
    .orderBy(asc(users.lastName), asc(users.firstName), asc(users.id))
    .limit(MAX_READERS)
  return rows.map(({ id, email, ...names }) => ({ id, email, name: formatActorName({ ...names, email }) }))
}

type ScheduleRow = typeof reportSchedules.$inferSelect
type ScheduleRhythm = Pick<z.output<typeof NewSchedule>, 'month' | 'day' | 'recipientIds'>
const MAX_SCHEDULES = 200

const loadScheduleTemplate = (db: Db, { companyId, preset, templateId }: ScheduleRow): Promise<ReportTemplate> =>
  loadReportTemplate(db, companyId, templateId ?? preset)
const getScheduleSubjectId = ({ operationId, participantId, sellerId }: ScheduleRow) =>
  operationId ?? participantId ?? sellerId ?? ''

async function toSchedule(db: Db, actor: Actor, row: ScheduleRow): Promise<ReportSchedule> {
  const template = await loadScheduleTemplate(db, row)
  const subject = await loadReportSubject(db, actor, template.subject, getScheduleSubjectId(row))
  const { id, month, day, recipientIds, active, nextOn, lastPeriod, trouble, createdBy, version } = row
  return {
    id,
    template: template.ref,
    templateName: template.name,
    subjectName: subject.name,
    span: template.span,
    month,
    day,
    recipientIds,
    recipients: await listReportReaders(db, row.companyId, recipientIds),
    active,
    nextOn,
    lastPeriod,
    trouble,
    madeBy: createdBy,
    version,
  }
}

const scheduleScope = (actor: Actor): SQL | undefined =>
  and(eq(reportSchedules.companyId, actor.companyId), withinOperationLimit(actor, reportSchedules.operationId))

export async function listSchedules(db: Db, actor: Actor): Promise<ReportSchedule[]> {
  const rows = await db
    .select()
    .from(reportSchedules)
    .where(scheduleScope(actor))
    .orderBy(desc(reportSchedules.createdAt), desc(reportSchedules.id))
    .limit(MAX_SCHEDULES)
  const found: ReportSchedule[] = []
  for (const row of rows) found.push(await toSchedule(db, actor, row))
  return found
}

/** The author must have the permissions for the content, because it is sent in their name. */
async function requireValidSchedule(db: Db, actor: Actor, { blocks, span }: ReportTemplate, rhythm: ScheduleRhythm) {
  for (const permission of listRequiredPermissions(blocks)) requireAccess(actor, { permission })
  if ((span === 'year') !== (rhythm.month !== null))
    throw fieldError(
      'month',
      span === 'year'
        ? 'Choisissez le mois de l’envoi.'
        : 'Ce rapport part chaque mois\u00a0: il n’a pas de mois à choisir.',
    )
  const known = await listReportReaders(db, actor.companyId, rhythm.recipientIds)
  if (known.length < new Set(rhythm.recipientIds).size)
    throw fieldError('recipientIds', 'Une de ces personnes n’est pas dans votre organisation.')
}

const toMakerColumns = (actor: Actor) => ({
  makerId: actor.userId,
  keyId: actor.keyId ?? null,
  createdBy: formatActorName(actor),
})

export async function createSchedule(tx: Db, actor: Actor, input: z.output<typeof NewSchedule>) {
  const { companyId } = actor
  const template = await loadReportTemplate(tx, companyId, input.template)
  const subject = await loadReportSubject(tx, actor, template.subject, input.subjectId)
  await requireValidSchedule(tx, actor, template, input)
  const { month, day, recipientIds } = input
  const [row] = await tx
    .insert(reportSchedules)
    .values({
      companyId,
      preset: template.preset,
      templateId: getTemplateId(template),
      ...toSubjectColumns(subject),
      month,
      day,
      recipientIds: [...new Set(recipientIds)],
      ...toMakerColumns(actor),
      nextOn: getNextSendDay(input, getToday()),
    })
    .returning()
  if (!row) throw new AppError('internal')
  const schedule = await toSchedule(tx, actor, row)
  await recordScheduled(tx, row)
  return schedule
}

/** The event data of a schedule: its subject and number of recipients. */
function toScheduleEventData({ id: scheduleId, operationId, participantId, sellerId, recipientIds }: ScheduleRow) {
  const named = { operation: operationId, participant: participantId, producer: sellerId }
  const subject = ReportSubject.options.find((kind) => named[kind] !== null) ?? 'operation'
  return { scheduleId, subject, subjectId: named[subject] ?? '', readers: recipientIds.length }
}

const recordScheduled = (tx: Db, row: ScheduleRow) =>
  recordEvent(tx, {
    companyId: row.companyId,
    name: 'report.scheduled',
    object: row.id,
    data: toScheduleEventData(row),
  })

export const recordUnscheduled = (tx: Db, row: ScheduleRow, reason = '') =>
  recordEvent(tx, {
    companyId: row.companyId,
    name: 'report.unscheduled',
    object: row.id,
    data: { ...toScheduleEventData(row), reason },
  })

const isSchedule = (actor: Actor, id: string) => and(scheduleScope(actor), eq(reportSchedules.id, id))

async function lockSchedule(tx: Db, actor: Actor, id: string): Promise<ScheduleRow> {
  const [row] = await tx.select().from(reportSchedules).where(isSchedule(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function updateSchedule(tx: Db, actor: Actor, id: string, input: z.output<typeof ScheduleUpdate>) {
  const before = await lockSchedule(tx, actor, id)
  requireCurrentVersion(before, input)
  await requireValidSchedule(tx, actor, await loadScheduleTemplate(tx, before), input)
  const { month, day, recipientIds, active, version } = input
  const [row] = await tx
    .update(reportSchedules)
    .set({
      month,
      day,
      recipientIds: [...new Set(recipientIds)],
      active,
      nextOn: getNextSendDay(input, getToday()),
      trouble: '',
      ...toMakerColumns(actor),
      version: version + 1,
    })
    .where(isSchedule(actor, id))
    .returning()
  if (!row) throw new AppError('not-found')
  const schedule = await toSchedule(tx, actor, row)
  if (active) await recordScheduled(tx, row)
  else await recordUnscheduled(tx, row)
  return schedule
}

export async function removeSchedule(tx: Db, actor: Actor, id: string): Promise<ReportSchedule> {
  const row = await lockSchedule(tx, actor, id)
  const schedule = await toSchedule(tx, actor, row)
  await tx.delete(reportSchedules).where(isSchedule(actor, id))
  await recordUnscheduled(tx, row)
  return schedule
}

type ScheduledReportJob = { companyId: number; scheduleId: string; period: string }

/** Queues the reports due today for the last complete period; missed earlier periods are not sent. */
export async function enqueueDueReports({ db }: Pick<Deps, 'db'>) {
  const day = getToday()
  const rows = await db
    .select()
    .from(reportSchedules)
    .where(and(eq(reportSchedules.active, true), lte(reportSchedules.nextOn, day)))
  for (const row of rows) {
    const { span } = await loadScheduleTemplate(db, row)
    const due: ScheduledReportJob = {
      companyId: row.companyId,
      scheduleId: row.id,
      period: getLastCompletePeriod(span, day),
    }
    await enqueue(db, 'reports.send', due, { once: row.id })
  }
}

const isScheduleRow = ({ companyId, id }: ScheduleRow) =>
  and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.id, id))

/** Stops the schedule and notifies those who can resume it, since it would fail again the next time. */
async function stopSchedule(tx: Db, deps: Deps, row: ScheduleRow, { message }: AppError) {
  await tx
    .update(reportSchedules)
    .set({ active: false, trouble: message, version: row.version + 1 })
    .where(isScheduleRow(row))
  await notify(tx, deps, {
    companyId: row.companyId,
    to: { permission: 'reports.write' },
    category: 'system',
    type: 'warning',
    priority: 'normal',
    title: 'Un envoi de rapport est arrêté',
    message,
    action: { label: 'Ouvrir les envois', url: '/reports?tab=envois' },
    key: `report schedule ${row.id} ${row.version}`,
  })
  const data = { ...toScheduleEventData(row), reason: message }
  await recordEvent(tx, {
    companyId: row.companyId,
    name: 'report.unscheduled',
    object: row.id,
    data,
    by: getJobAuthor(deps),
  })
}

const getJobAuthor = ({ secrets }: Deps) => ({ job: 'reports.send', secrets })
/** The current permissions of the author, or of the API key that set the schedule. */
const getMaker = ({ companyId, makerId, keyId }: ScheduleRow) => ({ companyId, userId: makerId, keyId })
const STOPPING_ERROR_CODES = new Set(['forbidden', 'not-found'])

/** Makes the report of a period in its author's name and sends it to each recipient once. */
export const sendScheduledReport = (deps: Deps, { companyId, scheduleId, period }: ScheduledReportJob) =>
  transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const [row] = await tx
      .select()
      .from(reportSchedules)
      .where(and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.id, scheduleId)))
      .for('update')
    if (!row?.active || row.lastPeriod >= period) return
    const template = await loadScheduleTemplate(tx, row)
    const request = { template: template.ref, subjectId: getScheduleSubjectId(row), period }
    try {
      const actor = await authorizeJob(tx, getMaker(row), { permission: 'reports.write' })
      const by = getJobAuthor(deps)
      const { id: reportId } = await transaction(tx, (part) => issueReport(part, deps, actor, request, by))
      const values = { lastPeriod: period, nextOn: getNextSendDay(row, getToday()), trouble: '' }
      await tx.update(reportSchedules).set(values).where(isScheduleRow(row))
      for (const userId of row.recipientIds)
        await enqueue(
          tx,
          'reports.mail',
          { companyId, reportId, userId, scheduleId },
          { id: toStableId(`report mail ${companyId} ${scheduleId} ${period} ${userId}`) },
        )
      const data = { ...toScheduleEventData(row), reportId, period }
      await recordEvent(tx, { companyId, name: 'report.sent', object: reportId, data, by })
    } catch (error) {
      if (!(error instanceof AppError) || !STOPPING_ERROR_CODES.has(error.code)) throw error
      await stopSchedule(tx, deps, row, error)
    }
  })
