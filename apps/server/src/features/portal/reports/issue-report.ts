import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import type { Permission } from '@voisol/contract/permissions'
import {
  getBlockSource,
  REPORT_TABLES,
  type ReportBlock,
  type ReportSubject,
  type TableSource,
} from '@voisol/contract/report-blocks'
import type { FilledBlock, FilledTable, ReportContent } from '@voisol/contract/report-content'
import type { NewReport, ReportTemplate } from '@voisol/contract/reports'
import { formatLongDay, formatWhAsKwh } from '@voisol/documents/number-and-date-formats'
import { formatNumber } from '@voisol/documents/pdf/pdf-number-formats'
import { buildReportPdf } from '@voisol/documents/report-pdf'
import { dayOf } from '@voisol/energy/calendar'
import { foldText, formatFrenchDay, formatFrenchMonth } from '@voisol/file-formats/french'
import { and, eq, isNull, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { loadBrand, loadCompanyLogo } from '../../../core/brand.ts'
import { storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { reports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { requireAccess } from '../../../http/authorize.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { createReportData, listDataGaps, type ReportData } from './report-data.ts'
import {
  capitalize,
  fillChart,
  fillFigure,
  formatEurosOrDash,
  formatKwhOrDash,
  formatRateOrDash,
  parseMinute,
  UNKNOWN_VALUE,
} from './report-figures.ts'
import { loadReportTemplate } from './report-templates.ts'
import {
  formatReportPeriod,
  getPeriodDays,
  loadReportSubject,
  type ReportSubjectRef,
  toSubjectColumns,
} from './subject-and-period.ts'

/** Null when the preset is used unchanged. */
export const getTemplateId = ({ ref, preset }: ReportTemplate) => (ref === preset ? null : ref)

/** Builds the PDF without storing it. */
export async function previewReport(
  db: Db,
  deps: Pick<Deps, 'config' | 'files'>,
  actor: Actor,
  request: ReportRequest,
) {
  const { content } = await composeReport(db, deps, actor, request)
  const logo = await loadCompanyLogo(db, deps.files, actor.companyId)
  const name = buildDatedFileName(`aperçu ${content.title} ${content.subject.name}`, 'pdf')
  const pdf = await buildReportPdf(content, { words: 'Aperçu', day: getToday(), logo })
  return { name, content: pdf }
}

async function loadLastNumber(
  tx: Db,
  companyId: number,
  template: ReportTemplate,
  subject: ReportSubjectRef,
  period: string,
) {
  const id = getTemplateId(template)
  const columns = toSubjectColumns(subject)
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

/** Only letters and digits, because it becomes the name of an attachment and of a file. */
const toFileName = (text: string) => `${foldText(text).replace(/[^a-z0-9]+/g, '-')}.pdf`

/** The name of the job that made the report, for its audit entry. */
type JobAuthor = { job: string; secrets: Secrets }

/** Creates and stores a version of a report with its content; making it again creates another version. */
export async function issueReport(
  tx: Db,
  deps: Pick<Deps, 'config' | 'files'>,
  actor: Actor,
  request: ReportRequest,
  by?: JobAuthor,
) {
  const { companyId } = actor
  const lock = `report ${companyId} ${request.template} ${request.subjectId} ${request.period}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const { template, subject, content, rights } = await composeReport(tx, deps, actor, request)
  const number = (await loadLastNumber(tx, companyId, template, subject, request.period)) + 1
  const day = getToday()
  const logo = await loadCompanyLogo(tx, deps.files, companyId)
  const file = await storeFile(tx, deps.files, companyId, {
    name: toFileName(`${content.title} ${subject.name} ${request.period} v${number}`),
    mediaType: 'application/pdf',
    content: await buildReportPdf(content, { words: `Version ${number}, ${formatLongDay(day)}`, day, logo }),
  })
  const [row] = await tx
    .insert(reports)
    .values({
      companyId,
      preset: template.preset,
      templateId: getTemplateId(template),
      subject: subject.kind,
      ...toSubjectColumns(subject),
      span: content.span,
      period: request.period,
      number,
      content,
      rights,
      fileId: file.id,
      createdBy: formatActorName(actor),
    })
    .returning({ id: reports.id })
  if (!row) throw new AppError('internal')
  const data = { reportId: row.id, subject: subject.kind, subjectId: subject.id, period: request.period, number }
  await recordEvent(tx, { companyId, name: 'report.issued', object: row.id, data, ...(by && { by }) })
  return { id: row.id, content, file }
}

type ReportRequest = z.output<typeof NewReport>
type ComposedReport = {
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
async function composeReport(
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

type ReportTableContent = Pick<FilledTable, 'columns' | 'rows' | 'total' | 'lead'>
type Column = FilledTable['columns'][number]

const buildTextColumn = (head: string, part: number): Column => ({ head, part, align: 'start' })
const buildNumberColumn = (head: string, part: number): Column => ({ head, part, align: 'end' })
/** An empty table with a sentence that says why. */
const buildEmptyTable = (lead: string): ReportTableContent => ({ columns: [], rows: [], total: false, lead })

async function buildBuyersTable({ assembly }: ReportData): Promise<ReportTableContent> {
  const { buyers: rows, totals, on } = await assembly()
  if (rows.length === 0) return buildEmptyTable('Aucune facture n’a été émise pour cette période.')
  return {
    columns: [
      buildTextColumn('Participant', 30),
      buildNumberColumn('Énergie locale', 16),
      buildNumberColumn('Facturé TTC', 14),
      buildNumberColumn('Réglé', 14),
      buildNumberColumn('Reste dû', 13),
      buildNumberColumn('Économie HT', 14),
    ],
    rows: [
      ...rows.map(({ name, wh, billed, settled, open, saved }) => [
        name,
        formatKwhOrDash(wh),
        ...[billed, settled, open, saved].map(formatEurosOrDash),
      ]),
      ['Total', '', ...[totals.billed, totals.settled, totals.open, totals.saved].map(formatEurosOrDash)],
    ],
    total: true,
    lead: `Facturé pour l’énergie de la période, avoirs déduits\u00a0; réglé et restant dû au ${formatLongDay(on)}. L’économie est hors taxes, face au prix du fournisseur.`,
  }
}

async function buildSellersTable({ assembly }: ReportData): Promise<ReportTableContent> {
  const { producers, earned } = await assembly()
  if (producers.length === 0) return buildEmptyTable('Aucune vente n’a été facturée pour cette période.')
  return {
    columns: [
      buildTextColumn('Producteur', 30),
      buildNumberColumn('Ventes HT', 15),
      buildNumberColumn('TVA', 12),
      buildNumberColumn('Ventes TTC', 15),
      buildNumberColumn('Frais TTC', 14),
      buildNumberColumn('Reste', 14),
    ],
    rows: [
      ...producers.map(({ name, net, tax, gross, fees, earned: left }) => [
        name,
        ...[net, tax, gross, fees, left].map(formatEurosOrDash),
      ]),
      ['Total', '', '', '', '', formatEurosOrDash(earned)],
    ],
    total: true,
    lead: '',
  }
}

async function buildSuppliedTable({ annual }: ReportData): Promise<ReportTableContent> {
  const found = await annual()
  if (!found?.months.length) return buildEmptyTable('Aucune facture n’a été émise pour cette année.')
  const { months, totals } = found
  return {
    columns: [
      buildTextColumn('Mois fourni', 20),
      buildTextColumn('Documents', 30),
      buildNumberColumn('Énergie', 17),
      buildNumberColumn('HT', 12),
      buildNumberColumn('TVA', 11),
      buildNumberColumn('TTC', 12),
    ],
    rows: [
      ...months.map(({ month, documents, wh, net, tax, gross }) => [
        capitalize(formatFrenchMonth(month)),
        documents.map(({ number }) => number).join(', '),
        formatWhAsKwh(wh),
        ...[net, tax, gross].map(formatEurosOrDash),
      ]),
      ['Total', '', formatWhAsKwh(totals.wh), ...[totals.net, totals.tax, totals.gross].map(formatEurosOrDash)],
    ],
    total: true,
    lead: 'Par mois fourni, les corrections avec le mois qu’elles corrigent, les avoirs déduits.',
  }
}

async function buildSalesTable({ sold }: ReportData): Promise<ReportTableContent> {
  const found = await sold()
  if (!found) return buildEmptyTable('Aucune vente n’a été facturée cette année.')
  const { months, total } = found
  return {
    columns: [
      buildTextColumn('Mois d’émission', 22),
      buildNumberColumn('Énergie', 18),
      buildNumberColumn('Ventes HT', 13),
      buildNumberColumn('Ventes TTC', 13),
      buildNumberColumn('Frais TTC', 13),
      buildNumberColumn('Résultat', 13),
    ],
    rows: [
      ...months
        .filter(({ documents }) => documents > 0)
        .map(({ month, sales: own, fee, result }) => [
          capitalize(formatFrenchMonth(month)),
          formatWhAsKwh(own.wh),
          ...[own.net, own.gross, fee.gross, result].map(formatEurosOrDash),
        ]),
      [
        'Total',
        formatWhAsKwh(total.wh),
        ...[total.net, total.gross, total.fees, total.gross - total.fees].map(formatEurosOrDash),
      ],
    ],
    total: true,
    lead: 'Par mois d’émission, les avoirs déduits.',
  }
}

const MONEY_TABLES = {
  buyers: buildBuyersTable,
  sellers: buildSellersTable,
  supplied: buildSuppliedTable,
  sales: buildSalesTable,
}

const NO_DATA_MESSAGE = 'Rien n’est connu de cette période.'

type Measure = 'produced' | 'shared' | 'surplus' | 'consumed' | 'allocated' | 'complement'
const MEASURE_LABELS: Record<Measure, string> = {
  produced: 'Produite',
  shared: 'Partagée',
  surplus: 'Surplus',
  consumed: 'Consommée',
  allocated: 'Locale',
  complement: 'Du réseau',
}
const MEASURES: Record<ReportSubject, Measure[]> = {
  operation: ['produced', 'shared', 'surplus', 'consumed', 'allocated'],
  participant: ['consumed', 'allocated', 'complement'],
  producer: ['produced', 'shared', 'surplus'],
}
const RATES: Record<ReportSubject, ('selfConsumption' | 'selfProduction')[]> = {
  operation: ['selfConsumption', 'selfProduction'],
  participant: ['selfProduction'],
  producer: ['selfConsumption'],
}
const RATE_LABELS = { selfConsumption: 'Autoconsommation', selfProduction: 'Autoproduction' }

async function buildComparisonTable({ subject: { kind }, span, energy }: ReportData): Promise<ReportTableContent> {
  const summary = await energy()
  if (!summary) return buildEmptyTable(NO_DATA_MESSAGE)
  const spans: (PeriodEnergyTotals | null)[] = [summary.current, summary.previous, summary.lastYear]
  const rows = [
    ...MEASURES[kind].map((measure) => [
      `Énergie ${MEASURE_LABELS[measure].toLowerCase()}`,
      ...spans.map((totals) => formatKwhOrDash(totals?.[measure])),
    ]),
    ...RATES[kind].map((rate) => [RATE_LABELS[rate], ...spans.map((totals) => formatRateOrDash(totals?.[rate]))]),
  ]
  // The previous period of a year is the year before.
  const columns = [
    buildTextColumn('', 34),
    buildNumberColumn('Cette période', 22),
    buildNumberColumn('La précédente', 22),
    buildNumberColumn('Un an avant', 22),
  ]
  const columnCount = span === 'year' ? 3 : 4
  return {
    columns: columns.slice(0, columnCount),
    rows: rows.map((row) => row.slice(0, columnCount)),
    total: false,
    lead: '',
  }
}

async function buildCourseTable({
  subject: { kind },
  span,
  course: read,
  energy,
}: ReportData): Promise<ReportTableContent> {
  const columns = await read()
  const summary = await energy()
  if (!columns || !summary) return buildEmptyTable(NO_DATA_MESSAGE)
  const measures = MEASURES[kind]
  const nameOf = (day: string) => (span === 'year' ? capitalize(formatFrenchMonth(day)) : formatFrenchDay(day))
  const rows = columns.starts.map((start, at) => [
    nameOf(dayOf(parseMinute(start))),
    ...measures.map((measure) => formatKwhOrDash(columns[measure][at])),
  ])
  return {
    columns: [
      buildTextColumn(span === 'year' ? 'Mois' : 'Jour', 22),
      ...measures.map((one) => buildNumberColumn(MEASURE_LABELS[one], 16)),
    ],
    rows: [...rows, ['Total', ...measures.map((measure) => formatKwhOrDash(summary.current[measure]))]],
    total: true,
    lead: `«\u00a0${UNKNOWN_VALUE}\u00a0» où rien n’est connu.`,
  }
}

async function buildMembersTable({ members: read }: ReportData): Promise<ReportTableContent> {
  const rows = (await read()).filter(({ direction, storage }) => direction === 'consumption' && !storage)
  if (rows.length === 0) return buildEmptyTable('Personne n’a consommé dans l’opération sur cette période.')
  const ranked = rows.toSorted((a, b) => a.name.localeCompare(b.name, 'fr') || a.prm.localeCompare(b.prm))
  return {
    columns: [
      buildTextColumn('Participant', 40),
      buildNumberColumn('Consommée', 20),
      buildNumberColumn('Locale', 20),
      buildNumberColumn('Couverture', 18),
      buildNumberColumn('Part', 14),
    ],
    rows: ranked.map(({ name, total, local, rate, share }) => [
      name,
      formatKwhOrDash(total),
      formatKwhOrDash(local),
      formatRateOrDash(rate),
      formatRateOrDash(share),
    ]),
    total: false,
    lead: '',
  }
}

async function buildPlantsTable({ plants: read }: ReportData): Promise<ReportTableContent> {
  const rows = (await read()).filter(({ storage }) => !storage)
  if (rows.length === 0) return buildEmptyTable('Aucune installation n’a produit dans l’opération sur cette période.')
  return {
    columns: [
      buildTextColumn('Installation', 34),
      buildNumberColumn('Puissance', 16),
      buildNumberColumn('Produite', 18),
      buildNumberColumn('Partagée', 18),
      buildNumberColumn('Surplus', 18),
    ],
    rows: rows.map(({ label, participantName, peakWatts, completeness, ...own }) => [
      [label, participantName].filter(Boolean).join(', '),
      peakWatts === null ? UNKNOWN_VALUE : `${formatNumber(peakWatts / 1000, 1)}\u00a0kWc`,
      // Without any reading, the production is unknown.
      ...[own.produced, own.shared, own.surplus].map((wh) =>
        completeness === 0 ? UNKNOWN_VALUE : formatKwhOrDash(wh),
      ),
    ]),
    total: false,
    lead: '',
  }
}

const TABLE_BUILDERS: Record<TableSource, (scene: ReportData) => Promise<ReportTableContent>> = {
  comparison: buildComparisonTable,
  course: buildCourseTable,
  members: buildMembersTable,
  plants: buildPlantsTable,
  ...MONEY_TABLES,
}

const fillTable = async (reportData: ReportData, source: TableSource): Promise<FilledTable> => ({
  kind: 'table',
  source,
  title: TITLES[source] ?? REPORT_TABLES[source].label,
  ...(await TABLE_BUILDERS[source](reportData)),
})

const TITLES: Partial<Record<TableSource, string>> = { comparison: 'En comparaison', course: 'Le détail des énergies' }
