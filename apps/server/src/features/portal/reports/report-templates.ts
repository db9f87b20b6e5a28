import {
  getBlockSource,
  isSourceAllowed,
  type ReportBlock,
  type ReportSpan,
  type ReportSubject,
} from '@voisol/contract/report-blocks'
import { type NewTemplate, ReportPreset, type ReportTemplate, type TemplateUpdate } from '@voisol/contract/reports'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { reportSchedules, reportTemplates } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'

type Row = typeof reportTemplates.$inferSelect
const MAX_TEMPLATES = 100

const buildPresetTemplate = (preset: ReportPreset): ReportTemplate => ({
  ref: preset,
  preset,
  ...PRESETS[preset],
  version: 0,
})

function toTemplate({ id, preset: from, name, blocks, version }: Row): ReportTemplate {
  const preset = ReportPreset.parse(from)
  return { ...buildPresetTemplate(preset), ref: id, name, blocks, version }
}

const isTemplate = (companyId: number, id: string) =>
  and(eq(reportTemplates.companyId, companyId), eq(reportTemplates.id, id))

async function loadTemplateRow(db: Db, companyId: number, id: string): Promise<Row> {
  const [row] = await db.select().from(reportTemplates).where(isTemplate(companyId, id))
  if (!row) throw new AppError('not-found')
  return row
}

const isPreset = (ref: string): ref is ReportPreset => ReportPreset.safeParse(ref).success

export const loadReportTemplate = async (db: Db, companyId: number, ref: string): Promise<ReportTemplate> =>
  isPreset(ref) ? buildPresetTemplate(ref) : toTemplate(await loadTemplateRow(db, companyId, ref))

/** The presets, then the templates of the company. */
export async function listReportTemplates(db: Db, { companyId }: Actor): Promise<ReportTemplate[]> {
  const rows = await db
    .select()
    .from(reportTemplates)
    .where(eq(reportTemplates.companyId, companyId))
    .orderBy(asc(reportTemplates.name))
    .limit(MAX_TEMPLATES)
  return [...ReportPreset.options.map(buildPresetTemplate), ...rows.map(toTemplate)]
}

/** A limit on templates keeps the list usable. */
async function requireTemplateQuota(tx: Db, companyId: number) {
  const rows = await tx
    .select({ id: reportTemplates.id })
    .from(reportTemplates)
    .where(eq(reportTemplates.companyId, companyId))
    .limit(MAX_TEMPLATES)
  if (rows.length === MAX_TEMPLATES)
    throw new AppError('conflict', {
      message: `Une organisation garde au plus ${MAX_TEMPLATES} modèles\u00a0: retirez-en un.`,
    })
}

async function requireFreeName(tx: Db, companyId: number, name: string, besides?: string) {
  const [taken] = await tx
    .select({ id: reportTemplates.id })
    .from(reportTemplates)
    .where(and(eq(reportTemplates.companyId, companyId), eq(reportTemplates.name, name)))
  if (taken && taken.id !== besides) throw fieldError('name', 'Un modèle porte déjà ce nom.', 'conflict')
}

/** Every block must be available for the subject and the period. */
function requireFittingBlocks({ subject, span }: ReportTemplate, blocks: ReportBlock[]) {
  for (const [at, block] of blocks.entries()) {
    const source = getBlockSource(block)
    if (source && !isSourceAllowed(source, subject, span))
      throw fieldError(`blocks.${at}`, `«\u00a0${source.label}\u00a0» n’est pas de ce rapport.`)
  }
}

export async function createReportTemplate(tx: Db, { companyId }: Actor, input: z.output<typeof NewTemplate>) {
  const { preset, blocks } = await loadReportTemplate(tx, companyId, input.preset)
  await requireTemplateQuota(tx, companyId)
  await requireFreeName(tx, companyId, input.name)
  const [row] = await tx.insert(reportTemplates).values({ companyId, preset, name: input.name, blocks }).returning()
  if (!row) throw new AppError('internal')
  return toTemplate(row)
}

export async function updateReportTemplate(
  tx: Db,
  { companyId }: Actor,
  id: string,
  input: z.output<typeof TemplateUpdate>,
) {
  const [row] = await tx.select().from(reportTemplates).where(isTemplate(companyId, id)).for('update')
  if (!row) throw new AppError('not-found')
  const before = toTemplate(row)
  requireCurrentVersion(before, input)
  requireFittingBlocks(before, input.blocks)
  await requireFreeName(tx, companyId, input.name, id)
  const { name, blocks, version } = input
  const values = { name, blocks, version: version + 1 }
  const [after] = await tx.update(reportTemplates).set(values).where(isTemplate(companyId, id)).returning()
  if (!after) throw new AppError('not-found')
  return { before, after: toTemplate(after) }
}

/** Reports already made stay; a schedule that uses the template must be stopped first. */
export async function removeReportTemplate(tx: Db, { companyId }: Actor, id: string): Promise<ReportTemplate> {
  const row = await loadTemplateRow(tx, companyId, id)
  const [used] = await tx
    .select({ id: reportSchedules.id })
    .from(reportSchedules)
    .where(and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.templateId, id)))
    .limit(1)
  if (used) throw new AppError('conflict', { message: 'Un envoi programmé suit ce modèle\u00a0: arrêtez-le d’abord.' })
  await tx.delete(reportTemplates).where(isTemplate(companyId, id))
  return toTemplate(row)
}

type ReportPresetDefinition = {
  name: string
  purpose: string
  subject: ReportSubject
  span: ReportSpan
  blocks: ReportBlock[]
}

const buildTextBlock = (title: string, words: string): ReportBlock => ({ kind: 'text', title, text: words })
type BlockSource<K extends ReportBlock['kind']> = Extract<ReportBlock, { kind: K; source: string }>['source']
const buildFigureBlocks = (...sources: BlockSource<'figure'>[]) =>
  sources.map((source): ReportBlock => ({ kind: 'figure', source }))
const buildChartBlock = (source: BlockSource<'chart'>): ReportBlock => ({ kind: 'chart', source })
const buildTableBlock = (source: BlockSource<'table'>): ReportBlock => ({ kind: 'table', source })

export const PRESETS: Record<ReportPreset, ReportPresetDefinition> = {
  'operation-month': {
    name: 'Rapport mensuel d’opération',
    purpose: 'Le mois d’une opération\u00a0: ce qui a été produit, partagé et consommé, et par qui.',
    subject: 'operation',
    span: 'month',
    blocks: [
      ...buildFigureBlocks('produced', 'shared', 'selfConsumption', 'consumed', 'selfProduction', 'co2'),
      buildChartBlock('course'),
      buildTableBlock('comparison'),
      buildChartBlock('day'),
      buildTableBlock('members'),
      buildTableBlock('plants'),
    ],
  },
  'assembly-year': {
    name: 'Rapport annuel d’assemblée',
    purpose:
      'L’année à présenter à une assemblée\u00a0: l’énergie, qui a payé, qui a économisé, ce que la toiture a rapporté.',
    subject: 'operation',
    span: 'year',
    blocks: [
      ...buildFigureBlocks('produced', 'shared', 'selfProduction', 'billed', 'saved', 'earned'),
      buildChartBlock('course'),
      buildChartBlock('shares'),
      buildTableBlock('buyers'),
      buildTableBlock('sellers'),
      buildTableBlock('course'),
    ],
  },
  'participant-year': {
    name: 'Année d’un participant',
    purpose: 'Ce qu’une personne a consommé, reçu du voisinage et payé dans l’année.',
    subject: 'participant',
    span: 'year',
    blocks: [
      ...buildFigureBlocks('consumed', 'allocated', 'selfProduction', 'suppliedNet', 'suppliedGross', 'co2'),
      buildChartBlock('course'),
      buildChartBlock('day'),
      buildTableBlock('supplied'),
      buildTableBlock('course'),
    ],
  },
  'producer-year': {
    name: 'Année d’un producteur',
    purpose: 'Ce qu’un producteur a produit, partagé et vendu dans l’année, frais déduits.',
    subject: 'producer',
    span: 'year',
    blocks: [
      ...buildFigureBlocks('produced', 'shared', 'surplus', 'sales', 'fees', 'result'),
      buildChartBlock('course'),
      buildTableBlock('sales'),
      buildTableBlock('course'),
    ],
  },
  'impact-year': {
    name: 'Fiche d’impact pour la commune',
    purpose: 'Une page pour les élus\u00a0: énergie locale, CO₂ évité, participants et valeur restée sur place.',
    subject: 'operation',
    span: 'year',
    blocks: [
      ...buildFigureBlocks('members', 'shared', 'co2', 'produced', 'selfProduction', 'value'),
      buildChartBlock('course'),
      buildTableBlock('plants'),
      buildTextBlock(
        'Comment lire cette fiche',
        'L’énergie partagée est celle qui a été produite et consommée au même moment par les participants, mesurée par les compteurs et répartie selon la clé de l’opération. Elle n’a pas eu à venir de plus loin.',
      ),
    ],
  },
}
