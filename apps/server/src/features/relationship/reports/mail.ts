import type { ReportContent } from '@voisol/contract/report-content'
import { and, desc, eq } from 'drizzle-orm'
import { isPermanentMailRefusal } from '../../../adapters/mail/mail.ts'
import { sendCompanyMail } from '../../../core/company-sender.ts'
import { getFileKey } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { files, reports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type JobRun, PermanentJobError } from '../../../jobs/job.ts'
import { loadMailBrand, renderMail } from '../../people/mail/mail.ts'
import { buildReportUnsubscribeUrl } from './leave.ts'
import { listReportReaders } from './people.ts'

export type ReportMailRef = { companyId: number; reportId: string; userId: string; scheduleId?: string | undefined }

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
