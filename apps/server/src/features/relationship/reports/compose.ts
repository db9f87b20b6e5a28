import type { Permission } from '@voisol/contract/permissions'
import { getBlockSource, type ReportBlock } from '@voisol/contract/report-blocks'
import type { FilledBlock, ReportContent } from '@voisol/contract/report-content'
import type { NewReport, ReportTemplate } from '@voisol/contract/reports'
import type { z } from 'zod'
import { loadBrand } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireAccess } from '../../../http/authorize.ts'
import { fillChart } from './charts.ts'
import { fillFigure } from './figures.ts'
import { listDataGaps } from './gaps.ts'
import { formatReportPeriod, getPeriodDays } from './period.ts'
import { createReportData, type ReportData } from './scene.ts'
import { loadReportSubject, type ReportSubjectRef } from './subject.ts'
import { fillTable } from './tables.ts'
import { loadReportTemplate } from './templates.ts'

export type ReportRequest = z.output<typeof NewReport>
export type ComposedReport = {
  template: ReportTemplate
  subject: ReportSubjectRef
  content: ReportContent
  rights: Permission[]
}

export const listRequiredPermissions = (blocks: ReportBlock[]): Permission[] => [
  ...new Set(blocks.flatMap((block) => getBlockSource(block)?.right ?? [])),
]

function fillBlock(reportData: ReportData, block: ReportBlock): Promise<FilledBlock> {
  if (block.kind === 'figure') return fillFigure(reportData, block.source)
  if (block.kind === 'chart') return fillChart(reportData, block.source)
  return block.kind === 'table' ? fillTable(reportData, block.source) : Promise.resolve(block)
}

/** The current content of a report, for a user who may read all of its data. */
export async function composeReport(
  db: Db,
  deps: Pick<Deps, 'config'>,
  actor: Actor,
  request: ReportRequest,
): Promise<ComposedReport> {
  const template = await loadReportTemplate(db, actor.companyId, request.template)
  const { blocks, span } = template
  const rights = listRequiredPermissions(blocks)
  for (const permission of rights) requireAccess(actor, { permission })
  const subject = await loadReportSubject(db, actor, template.subject, request.subjectId)
  const reportData = createReportData(db, deps, actor, { subject, span, days: getPeriodDays(span, request.period) })
  const filled: FilledBlock[] = []
  for (const block of blocks) filled.push(await fillBlock(reportData, block))
  const content: ReportContent = {
    title: template.name,
    subject: { kind: subject.kind, name: subject.name },
    span,
    period: formatReportPeriod(request.period),
    brand: await loadBrand(db, actor.companyId),
    blocks: filled,
    notes: await listDataGaps(reportData, blocks),
  }
  return { template, subject, content, rights }
}
