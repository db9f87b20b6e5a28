import { and, eq, lte } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { reportSchedules } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { jobId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { today } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { makeReport } from './make.ts'
import { lastOver, nextOf } from './period.ts'
import { type ScheduleRow, subjectIdOf, templateOf, toldOf } from './schedules.ts'

export type Due = { companyId: number; scheduleId: string; period: string }

/** What leaves today, of the period that is over: whoever was away for months sends the last one alone. */
export async function sendDue({ db }: Pick<Deps, 'db'>) {
  const day = today()
  const rows = await db
    .select()
    .from(reportSchedules)
    .where(and(eq(reportSchedules.active, true), lte(reportSchedules.nextOn, day)))
  for (const row of rows) {
    const { span } = await templateOf(db, row)
    const due: Due = { companyId: row.companyId, scheduleId: row.id, period: lastOver(span, day) }
    await enqueue(db, 'reports.send', due, { once: row.id })
  }
}

const ofRow = ({ companyId, id }: ScheduleRow) =>
  and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.id, id))

/** Stopped, and said to those who can take it up again: it would fail alike the next time. */
async function stop(tx: Db, deps: Deps, row: ScheduleRow, { message }: AppError) {
  await tx
    .update(reportSchedules)
    .set({ active: false, trouble: message, version: row.version + 1 })
    .where(ofRow(row))
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
  const data = { ...toldOf(row), reason: message }
  await record(tx, { companyId: row.companyId, name: 'report.unscheduled', object: row.id, data, by: byOf(deps) })
}

const byOf = ({ secrets }: Deps) => ({ job: 'reports.send', secrets })
/** As they stand now; what was set by a key goes on as long as that key could set it. */
const makerOf = ({ companyId, makerId, keyId }: ScheduleRow) => ({ companyId, userId: makerId, keyId })
const STOPS = new Set(['forbidden', 'not-found'])

/** Makes the report of a period in its maker's name and hands it to each reader, once. */
export const sendScheduled = (deps: Deps, { companyId, scheduleId, period }: Due) =>
  transaction(forCompany(deps.db, companyId), async (tx) => {
    const [row] = await tx
      .select()
      .from(reportSchedules)
      .where(and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.id, scheduleId)))
      .for('update')
    if (!row?.active || row.lastPeriod >= period) return
    const template = await templateOf(tx, row)
    const asked = { template: template.ref, subjectId: subjectIdOf(row), period }
    try {
      const actor = await authorizeJob(tx, makerOf(row), { permission: 'reports.write' })
      const by = byOf(deps)
      const { id: reportId } = await transaction(tx, (part) => makeReport(part, deps, actor, asked, by))
      const values = { lastPeriod: period, nextOn: nextOf(row, today()), trouble: '' }
      await tx.update(reportSchedules).set(values).where(ofRow(row))
      for (const userId of row.recipientIds)
        await enqueue(
          tx,
          'reports.mail',
          { companyId, reportId, userId, scheduleId },
          { id: jobId(`report mail ${companyId} ${scheduleId} ${period} ${userId}`) },
        )
      const data = { ...toldOf(row), reportId, period }
      await record(tx, { companyId, name: 'report.sent', object: reportId, data, by })
    } catch (error) {
      if (!(error instanceof AppError) || !STOPS.has(error.code)) throw error
      await stop(tx, deps, row, error)
    }
  })
