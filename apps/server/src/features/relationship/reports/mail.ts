import type { ReportContent } from '@voisol/contract/report-content'
import { and, desc, eq } from 'drizzle-orm'
import { isRefused } from '../../../adapters/mail/mail.ts'
import { sendFor } from '../../../core/company-sender.ts'
import { keyOf } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { files, reports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { GiveUp, type Task } from '../../../jobs/job.ts'
import { mailBrandOf, mailLayout } from '../../people/mail/mail.ts'
import { leaveUrl } from './leave.ts'
import { readersOf } from './people.ts'

export type Letter = { companyId: number; reportId: string; userId: string; scheduleId?: string | undefined }

/** The words beside the paper, in the look of the company that sends it. */
export async function reportMail(
  deps: Pick<Deps, 'db' | 'config'>,
  companyId: number,
  content: ReportContent,
  name: string,
  leave?: string,
) {
  const { title, subject, period, brand, notes } = content
  const layout = mailLayout({
    title: `${title}, ${period}`,
    paragraphs: [
      `Bonjour ${name},`,
      `Vous trouverez ci-joint le document «\u00a0${title}\u00a0» de ${subject.name}, ${period}.`,
      ...(notes.length > 0 ? [`À savoir en le lisant\u00a0: ${notes.join(' ')}`] : []),
    ],
    footer: `${brand.name} — envoi programmé dans Voisol.`,
    leave,
    by: brand.name,
    brand: await mailBrandOf(deps.db, deps.config, companyId),
  })
  return { subject: `${title}, ${subject.name}, ${period}`, ...layout }
}

/** What the last report of the company holds. */
export async function lastReport(db: Db, companyId: number): Promise<ReportContent | undefined> {
  const [row] = await db
    .select({ content: reports.content })
    .from(reports)
    .where(eq(reports.companyId, companyId))
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(1)
  return row?.content
}

/** The kept paper, joined to a message. Somebody who has left the company meanwhile is sent nothing. */
export async function mailReport(deps: Deps, letter: Letter, task: Task): Promise<void> {
  const { companyId, reportId, userId, scheduleId } = letter
  const [reader] = await readersOf(deps.db, companyId, [userId])
  if (!reader) return
  const [found] = await deps.db
    .select({ report: reports, file: files })
    .from(reports)
    .innerJoin(files, and(eq(files.companyId, reports.companyId), eq(files.id, reports.fileId)))
    .where(and(eq(reports.companyId, companyId), eq(reports.id, reportId)))
  const paper = found && (await deps.files.get(keyOf(found.file)))
  if (!found || !paper) throw new GiveUp('no such report')
  const unsubscribe = scheduleId && leaveUrl(deps, { companyId, scheduleId, userId })
  const words = await reportMail(deps, companyId, found.report.content, reader.name, unsubscribe)
  const attachment = {
    filename: found.file.name,
    contentType: found.file.mediaType,
    encoding: 'base64' as const,
    content: Buffer.from(paper).toString('base64'),
  }
  try {
    await sendFor(deps, companyId, {
      to: reader.email,
      ...words,
      attachments: [attachment],
      ...(unsubscribe && { unsubscribe }),
      id: task.id,
    })
  } catch (error) {
    throw isRefused(error) ? new GiveUp('the message was refused', { cause: error }) : error
  }
}
