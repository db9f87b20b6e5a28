import { ReportSubject } from '@voisol/contract/report-blocks'
import type { NewSchedule, ReportSchedule, ReportTemplate, ScheduleUpdate } from '@voisol/contract/reports'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { reportSchedules } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { requireAccess } from '../../../http/authorize.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { listRequiredPermissions } from './compose.ts'
import { getTemplateId } from './make.ts'
import { listReportReaders } from './people.ts'
import { getNextSendDay } from './period.ts'
import { scheduleScope } from './scope.ts'
import { loadReportSubject, toSubjectColumns } from './subject.ts'
import { loadReportTemplate } from './templates.ts'

export type ScheduleRow = typeof reportSchedules.$inferSelect
type ScheduleRhythm = Pick<z.output<typeof NewSchedule>, 'month' | 'day' | 'recipientIds'>
const MAX_SCHEDULES = 200

export const loadScheduleTemplate = (db: Db, { companyId, preset, templateId }: ScheduleRow): Promise<ReportTemplate> =>
  loadReportTemplate(db, companyId, templateId ?? preset)
export const getScheduleSubjectId = ({ operationId, participantId, sellerId }: ScheduleRow) =>
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
export function toScheduleEventData({
  id: scheduleId,
  operationId,
  participantId,
  sellerId,
  recipientIds,
}: ScheduleRow) {
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
