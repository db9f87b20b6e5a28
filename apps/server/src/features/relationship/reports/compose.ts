import type { Permission } from '@voisol/contract/permissions'
import { type ReportBlock, sourceOf } from '@voisol/contract/report-blocks'
import type { FilledBlock, ReportContent } from '@voisol/contract/report-content'
import type { NewReport, ReportTemplate } from '@voisol/contract/reports'
import type { z } from 'zod'
import { brandOf } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireAccess } from '../../../http/authorize.ts'
import { fillChart } from './charts.ts'
import { fillFigure } from './figures.ts'
import { gapsOf } from './gaps.ts'
import { daysOf, periodWords } from './period.ts'
import { openScene, type Scene } from './scene.ts'
import { findSubject, type Subject } from './subject.ts'
import { fillTable } from './tables.ts'
import { findTemplate } from './templates.ts'

export type Asked = z.output<typeof NewReport>
export type Composed = { template: ReportTemplate; subject: Subject; content: ReportContent; rights: Permission[] }

export const rightsOf = (blocks: ReportBlock[]): Permission[] => [
  ...new Set(blocks.flatMap((block) => sourceOf(block)?.right ?? [])),
]

function fill(scene: Scene, block: ReportBlock): Promise<FilledBlock> {
  if (block.kind === 'figure') return fillFigure(scene, block.source)
  if (block.kind === 'chart') return fillChart(scene, block.source)
  return block.kind === 'table' ? fillTable(scene, block.source) : Promise.resolve(block)
}

/** What a report says today, to somebody who may read all that it is made of. */
export async function compose(db: Db, deps: Pick<Deps, 'config'>, actor: Actor, asked: Asked): Promise<Composed> {
  const template = await findTemplate(db, actor.companyId, asked.template)
  const { blocks, span } = template
  const rights = rightsOf(blocks)
  for (const permission of rights) requireAccess(actor, { permission })
  const subject = await findSubject(db, actor, template.subject, asked.subjectId)
  const scene = openScene(db, deps, actor, { subject, span, days: daysOf(span, asked.period) })
  const filled: FilledBlock[] = []
  for (const block of blocks) filled.push(await fill(scene, block))
  const content: ReportContent = {
    title: template.name,
    subject: { kind: subject.kind, name: subject.name },
    span,
    period: periodWords(asked.period),
    brand: await brandOf(db, actor.companyId),
    blocks: filled,
    notes: await gapsOf(scene, blocks),
  }
  return { template, subject, content, rights }
}
