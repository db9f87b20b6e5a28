import { ReportSubject } from '@voisol/contract/report-blocks'
import type { NewSchedule, ReportSchedule, ReportTemplate, ScheduleUpdate } from '@voisol/contract/reports'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { reportSchedules } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { requireAccess } from '../../../http/authorize.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { rightsOf } from './compose.ts'
import { templateIdOf } from './make.ts'
import { readersOf } from './people.ts'
import { nextOf } from './period.ts'
import { scheduleScope } from './scope.ts'
import { columnsOf, findSubject } from './subject.ts'
import { findTemplate } from './templates.ts'

export type ScheduleRow = typeof reportSchedules.$inferSelect
type Rhythm = Pick<z.output<typeof NewSchedule>, 'month' | 'day' | 'recipientIds'>
const MOST = 200

export const templateOf = (db: Db, { companyId, preset, templateId }: ScheduleRow): Promise<ReportTemplate> =>
  findTemplate(db, companyId, templateId ?? preset)
export const subjectIdOf = ({ operationId, participantId, sellerId }: ScheduleRow) =>
  operationId ?? participantId ?? sellerId ?? ''

async function toSchedule(db: Db, actor: Actor, row: ScheduleRow): Promise<ReportSchedule> {
  const template = await templateOf(db, row)
  const subject = await findSubject(db, actor, template.subject, subjectIdOf(row))
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
    recipients: await readersOf(db, row.companyId, recipientIds),
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
    .limit(MOST)
  const found: ReportSchedule[] = []
  for (const row of rows) found.push(await toSchedule(db, actor, row))
  return found
}

/** Whoever says when and to whom must be allowed to read what is sent: it leaves in their name. */
async function requireSound(db: Db, actor: Actor, { blocks, span }: ReportTemplate, rhythm: Rhythm) {
  for (const permission of rightsOf(blocks)) requireAccess(actor, { permission })
  if ((span === 'year') !== (rhythm.month !== null))
    throw fieldError(
      'month',
      span === 'year'
        ? 'Choisissez le mois de l’envoi.'
        : 'Ce rapport part chaque mois\u00a0: il n’a pas de mois à choisir.',
    )
  const known = await readersOf(db, actor.companyId, rhythm.recipientIds)
  if (known.length < new Set(rhythm.recipientIds).size)
    throw fieldError('recipientIds', 'Une de ces personnes n’est pas dans votre organisation.')
}

const makerOf = (actor: Actor) => ({
  makerId: actor.userId,
  keyId: actor.keyId ?? null,
  createdBy: nameOfActor(actor),
})

export async function createSchedule(tx: Db, actor: Actor, input: z.output<typeof NewSchedule>) {
  const { companyId } = actor
  const template = await findTemplate(tx, companyId, input.template)
  const subject = await findSubject(tx, actor, template.subject, input.subjectId)
  await requireSound(tx, actor, template, input)
  const { month, day, recipientIds } = input
  const [row] = await tx
    .insert(reportSchedules)
    .values({
      companyId,
      preset: template.preset,
      templateId: templateIdOf(template),
      ...columnsOf(subject),
      month,
      day,
      recipientIds: [...new Set(recipientIds)],
      ...makerOf(actor),
      nextOn: nextOf(input, today()),
    })
    .returning()
  if (!row) throw new AppError('internal')
  const schedule = await toSchedule(tx, actor, row)
  await tellSet(tx, row)
  return schedule
}

/** What is told of a schedule: whom it speaks of, and how many read it. */
export function toldOf({ id: scheduleId, operationId, participantId, sellerId, recipientIds }: ScheduleRow) {
  const named = { operation: operationId, participant: participantId, producer: sellerId }
  const subject = ReportSubject.options.find((kind) => named[kind] !== null) ?? 'operation'
  return { scheduleId, subject, subjectId: named[subject] ?? '', readers: recipientIds.length }
}

const tellSet = (tx: Db, row: ScheduleRow) =>
  record(tx, { companyId: row.companyId, name: 'report.scheduled', object: row.id, data: toldOf(row) })

export const tellStopped = (tx: Db, row: ScheduleRow, reason = '') =>
  record(tx, {
    companyId: row.companyId,
    name: 'report.unscheduled',
    object: row.id,
    data: { ...toldOf(row), reason },
  })

const ofId = (actor: Actor, id: string) => and(scheduleScope(actor), eq(reportSchedules.id, id))

async function findRow(tx: Db, actor: Actor, id: string): Promise<ScheduleRow> {
  const [row] = await tx.select().from(reportSchedules).where(ofId(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function updateSchedule(tx: Db, actor: Actor, id: string, input: z.output<typeof ScheduleUpdate>) {
  const before = await findRow(tx, actor, id)
  requireVersion(before, input)
  await requireSound(tx, actor, await templateOf(tx, before), input)
  const { month, day, recipientIds, active, version } = input
  const [row] = await tx
    .update(reportSchedules)
    .set({
      month,
      day,
      recipientIds: [...new Set(recipientIds)],
      active,
      nextOn: nextOf(input, today()),
      trouble: '',
      ...makerOf(actor),
      version: version + 1,
    })
    .where(ofId(actor, id))
    .returning()
  if (!row) throw new AppError('not-found')
  const schedule = await toSchedule(tx, actor, row)
  if (active) await tellSet(tx, row)
  else await tellStopped(tx, row)
  return schedule
}

export async function removeSchedule(tx: Db, actor: Actor, id: string): Promise<ReportSchedule> {
  const row = await findRow(tx, actor, id)
  const schedule = await toSchedule(tx, actor, row)
  await tx.delete(reportSchedules).where(ofId(actor, id))
  await tellStopped(tx, row)
  return schedule
}
