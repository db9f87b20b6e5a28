import { Id } from '@voisol/contract/primitives'
import type { ReportContent } from '@voisol/contract/report-content'
import { and, desc, eq, sql } from 'drizzle-orm'
import { sendCompanyMail } from '../../../core/company-mail.ts'
import { getFileKey } from '../../../core/stored-files.ts'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { files, reportSchedules, reports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { isPermanentMailRefusal } from '../../../integrations/mail/mail.ts'
import { type JobRun, PermanentJobError } from '../../../jobs/job.ts'
import { isValidStamp, type Secrets } from '../../../secrets.ts'
import { buildPublicUrl, loadMailBrand, renderMail } from '../../identity/mail/index.ts'
import { listReportReaders, recordUnscheduled } from './report-schedules.ts'

type ReportMailRef = { companyId: number; reportId: string; userId: string; scheduleId?: string | undefined }

/** The mail to which the report is attached, with the branding of the company. */
export async function buildReportMail(
  deps: Pick<Deps, 'db' | 'config'>,
  companyId: number,
  content: ReportContent,
  name: string,
  leave?: string,
) {
  const { title, subject, period, brand, notes } = content
  const layout = renderMail({
    title: `${title}, ${period}`,
    paragraphs: [
      `Bonjour ${name},`,
      `Vous trouverez ci-joint le document «\u00a0${title}\u00a0» de ${subject.name}, ${period}.`,
      ...(notes.length > 0 ? [`À savoir en le lisant\u00a0: ${notes.join(' ')}`] : []),
    ],
    footer: `${brand.name} — envoi programmé dans Voisol.`,
    leave,
    by: brand.name,
    brand: await loadMailBrand(deps.db, deps.config, companyId),
  })
  return { subject: `${title}, ${subject.name}, ${period}`, ...layout }
}

/** The content of the company's last report. */
export async function findLastReport(db: Db, companyId: number): Promise<ReportContent | undefined> {
  const [row] = await db
    .select({ content: reports.content })
    .from(reports)
    .where(eq(reports.companyId, companyId))
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(1)
  return row?.content
}

/** Sends the stored PDF to a recipient. Somebody who has left the company meanwhile gets nothing. */
export async function sendReportMail(deps: Deps, letter: ReportMailRef, task: JobRun): Promise<void> {
  const { companyId, reportId, userId, scheduleId } = letter
  const [reader] = await listReportReaders(deps.db, companyId, [userId])
  if (!reader) return
  const [found] = await deps.db
    .select({ report: reports, file: files })
    .from(reports)
    .innerJoin(files, and(eq(files.companyId, reports.companyId), eq(files.id, reports.fileId)))
    .where(and(eq(reports.companyId, companyId), eq(reports.id, reportId)))
  const pdf = found && (await deps.files.get(getFileKey(found.file)))
  if (!found || !pdf) throw new PermanentJobError('no such report')
  const unsubscribe = scheduleId && buildReportUnsubscribeUrl(deps, { companyId, scheduleId, userId })
  const words = await buildReportMail(deps, companyId, found.report.content, reader.name, unsubscribe)
  const attachment = {
    filename: found.file.name,
    contentType: found.file.mediaType,
    encoding: 'base64' as const,
    content: Buffer.from(pdf).toString('base64'),
  }
  try {
    await sendCompanyMail(deps, companyId, {
      to: reader.email,
      ...words,
      attachments: [attachment],
      ...(unsubscribe && { unsubscribe }),
      id: task.id,
    })
  } catch (error) {
    throw isPermanentMailRefusal(error) ? new PermanentJobError('the message was refused', { cause: error }) : error
  }
}

type ScheduleRecipient = { companyId: number; scheduleId: string; userId: string }
const STAMP_PURPOSE = 'leave-report'
const NO_RECIPIENT_LEFT_MESSAGE = 'Ses destinataires ont demandé à ne plus le recevoir\u00a0: plus personne ne le lit.'

const getStampText = ({ companyId, scheduleId, userId }: ScheduleRecipient) => `${companyId} ${scheduleId} ${userId}`
const computeStamp = (secrets: Secrets, reading: ScheduleRecipient) =>
  secrets.stamp(STAMP_PURPOSE, getStampText(reading))

/** The URL to which a mail program posts a one-click unsubscribe (RFC 8058). */
function buildReportUnsubscribeUrl({ secrets, config }: Pick<Deps, 'secrets' | 'config'>, reading: ScheduleRecipient) {
  const { companyId, scheduleId, userId } = reading
  const key = [companyId, scheduleId, userId, computeStamp(secrets, reading)].join('.')
  return buildPublicUrl(config, `/api/reports/unsubscribe/${key}`)
}

function parseUnsubscribeKey(secrets: Secrets, key: string): ScheduleRecipient | undefined {
  const [company = '', scheduleId = '', userId = '', stamp = ''] = key.split('.')
  const reading = { companyId: Number(company), scheduleId, userId }
  if (!Number.isSafeInteger(reading.companyId) || ![scheduleId, userId].every((id) => Id.safeParse(id).success)) return
  return isValidStamp(secrets.stamps(STAMP_PURPOSE, getStampText(reading)), stamp) ? reading : undefined
}

/** Removes the recipient; without any recipient the schedule stops and shows why. An invalid key is ignored. */
export async function unsubscribeFromReport(tx: Db, secrets: Secrets, key: string): Promise<void> {
  const reading = parseUnsubscribeKey(secrets, key)
  if (!reading) return
  const { companyId, scheduleId, userId } = reading
  await setWriteCompany(tx, companyId)
  const here = and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.id, scheduleId))
  const [row] = await tx.select().from(reportSchedules).where(here).for('update')
  if (!row?.recipientIds.includes(userId)) return
  const recipientIds = row.recipientIds.filter((id) => id !== userId)
  const stops = recipientIds.length === 0 && row.active
  await tx
    .update(reportSchedules)
    .set({
      recipientIds,
      version: sql`${reportSchedules.version} + 1`,
      ...(stops && { active: false, trouble: NO_RECIPIENT_LEFT_MESSAGE }),
    })
    .where(here)
  if (stops) await recordUnscheduled(tx, { ...row, recipientIds }, NO_RECIPIENT_LEFT_MESSAGE)
}
