import type { ReportTemplate } from '@voisol/contract/reports'
import { and, eq, isNull, max, sql } from 'drizzle-orm'
import { logoOf } from '../../../core/brand-logo.ts'
import { record } from '../../../core/events.ts'
import { keepFile } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { reports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { plain } from '../../../french.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { datedName } from '../../../http/file-name.ts'
import { reportPdf } from '../../../papers/report-pdf.ts'
import { longDay } from '../../../papers/words.ts'
import type { Secrets } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import { type Asked, compose } from './compose.ts'
import { columnsOf, type Subject } from './subject.ts'

/** Null where the preset is taken as it is. */
export const templateIdOf = ({ ref, preset }: ReportTemplate) => (ref === preset ? null : ref)

/** The paper as it would be kept, and is not. */
export async function previewReport(db: Db, deps: Pick<Deps, 'config' | 'files'>, actor: Actor, asked: Asked) {
  const { content } = await compose(db, deps, actor, asked)
  const logo = await logoOf(db, deps.files, actor.companyId)
  const name = datedName(`aperçu ${content.title} ${content.subject.name}`, 'pdf')
  const paper = await reportPdf(content, { words: 'Aperçu', day: today(), logo })
  return { name, content: paper }
}

async function lastNumber(tx: Db, companyId: number, template: ReportTemplate, subject: Subject, period: string) {
  const id = templateIdOf(template)
  const columns = columnsOf(subject)
  const [row] = await tx
    .select({ last: max(reports.number) })
    .from(reports)
    .where(
      and(
        eq(reports.companyId, companyId),
        eq(reports.preset, template.preset),
        id === null ? isNull(reports.templateId) : eq(reports.templateId, id),
        columns.operationId === null ? undefined : eq(reports.operationId, columns.operationId),
        columns.participantId === null ? undefined : eq(reports.participantId, columns.participantId),
        columns.sellerId === null ? undefined : eq(reports.sellerId, columns.sellerId),
        eq(reports.period, period),
      ),
    )
  return row?.last ?? 0
}

/** Of letters and digits: the name is an attachment's, and a folder's. */
const fileName = (text: string) => `${plain(text).replace(/[^a-z0-9]+/g, '-')}.pdf`

/** In a job, which one: its audit entry is written with the event. */
type By = { job: string; secrets: Secrets }

/** A version of a report, kept with all that it shows; made again it is another version. */
export async function makeReport(tx: Db, deps: Pick<Deps, 'config' | 'files'>, actor: Actor, asked: Asked, by?: By) {
  const { companyId } = actor
  const lock = `report ${companyId} ${asked.template} ${asked.subjectId} ${asked.period}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const { template, subject, content, rights } = await compose(tx, deps, actor, asked)
  const number = (await lastNumber(tx, companyId, template, subject, asked.period)) + 1
  const day = today()
  const logo = await logoOf(tx, deps.files, companyId)
  const file = await keepFile(tx, deps.files, companyId, {
    name: fileName(`${content.title} ${subject.name} ${asked.period} v${number}`),
    mediaType: 'application/pdf',
    content: await reportPdf(content, { words: `Version ${number}, ${longDay(day)}`, day, logo }),
  })
  const [row] = await tx
    .insert(reports)
    .values({
      companyId,
      preset: template.preset,
      templateId: templateIdOf(template),
      subject: subject.kind,
      ...columnsOf(subject),
      span: content.span,
      period: asked.period,
      number,
      content,
      rights,
      fileId: file.id,
      createdBy: nameOfActor(actor),
    })
    .returning({ id: reports.id })
  if (!row) throw new AppError('internal')
  const data = { reportId: row.id, subject: subject.kind, subjectId: subject.id, period: asked.period, number }
  await record(tx, { companyId, name: 'report.issued', object: row.id, data, ...(by && { by }) })
  return { id: row.id, content, file }
}
