import { and, eq, lte } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { reportSchedules } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { issueReport } from './make.ts'
import { getLastCompletePeriod, getNextSendDay } from './period.ts'
import { getScheduleSubjectId, loadScheduleTemplate, type ScheduleRow, toScheduleEventData } from './schedules.ts'

export type ScheduledReportJob = { companyId: number; scheduleId: string; period: string }

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

const isSchedule = ({ companyId, id }: ScheduleRow) =>
  and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.id, id))

/** Stops the schedule and notifies those who can resume it, since it would fail again the next time. */
async function stopSchedule(tx: Db, deps: Deps, row: ScheduleRow, { message }: AppError) {
  await tx
    .update(reportSchedules)
    .set({ active: false, trouble: message, version: row.version + 1 })
    .where(isSchedule(row))
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
      await tx.update(reportSchedules).set(values).where(isSchedule(row))
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
