import { z } from 'zod'
import type { Permission } from './permissions.ts'
import { OptionalText } from './primitives.ts'

/** Whom or what a report is about. */
export const ReportSubject = z.enum(['operation', 'participant', 'producer'])
export type ReportSubject = z.infer<typeof ReportSubject>
export const ReportSpan = z.enum(['month', 'year'])
export type ReportSpan = z.infer<typeof ReportSpan>

type BlockSource = {
  label: string
  of: readonly ReportSubject[]
  /** Without it, one may not make what shows this. */
  right: Permission
  /** Where it tells of years alone. */
  span?: ReportSpan
}
const ALL_SUBJECTS = ReportSubject.options
const energySource = (label: string, of: readonly ReportSubject[] = ALL_SUBJECTS): BlockSource => ({
  label,
  of,
  right: 'energy.read',
})
const operationSource = (label: string): BlockSource => ({ label, of: ['operation'], right: 'invoices.read' })
const participantSource = (label: string): BlockSource => ({
  label,
  of: ['participant'],
  right: 'invoices.read',
  span: 'year',
})
const producerSource = (label: string): BlockSource => ({
  label,
  of: ['producer'],
  right: 'parties.read',
  span: 'year',
})

export const REPORT_FIGURES = {
  produced: energySource('Énergie produite', ['operation', 'producer']),
  shared: energySource('Énergie partagée', ['operation', 'producer']),
  surplus: energySource('Surplus', ['operation', 'producer']),
  selfConsumption: energySource('Taux d’autoconsommation', ['operation', 'producer']),
  consumed: energySource('Énergie consommée', ['operation', 'participant']),
  allocated: energySource('Énergie locale reçue', ['operation', 'participant']),
  selfProduction: energySource('Taux d’autoproduction', ['operation', 'participant']),
  co2: energySource('CO₂ évité'),
  value: energySource('Valeur de l’énergie locale'),
  members: energySource('Participants', ['operation']),
  billed: operationSource('Facturé TTC'),
  settled: operationSource('Réglé'),
  open: operationSource('Reste dû'),
  saved: operationSource('Économie HT'),
  earned: operationSource('Rapporté par la toiture'),
  suppliedNet: participantSource('Facturé HT'),
  suppliedGross: participantSource('Facturé TTC'),
  sales: producerSource('Ventes TTC'),
  fees: producerSource('Frais TTC'),
  result: producerSource('Résultat'),
} as const satisfies Record<string, BlockSource>

export const REPORT_CHARTS = {
  course: energySource('Énergie, mois par mois ou jour par jour'),
  day: energySource('Journée moyenne, heure par heure'),
  shares: energySource('Parts de l’énergie partagée', ['operation']),
} as const satisfies Record<string, BlockSource>

export const REPORT_TABLES = {
  comparison: energySource('Comparaison avec la période d’avant et l’année d’avant'),
  course: energySource('Énergie, mois par mois ou jour par jour'),
  members: energySource('Énergie de chaque participant', ['operation']),
  plants: energySource('Énergie de chaque installation', ['operation']),
  buyers: operationSource('Qui a payé, qui a économisé'),
  sellers: operationSource('Ce que la toiture a rapporté'),
  supplied: participantSource('Factures, mois par mois'),
  sales: producerSource('Ventes, mois par mois'),
} as const satisfies Record<string, BlockSource>

/** Keys of the literals, which `Object.keys` forgets. */
const getSourceNames = <T extends Record<string, BlockSource>>(sources: T) =>
  Object.keys(sources) as [keyof T & string, ...(keyof T & string)[]]
export const FigureSource = z.enum(getSourceNames(REPORT_FIGURES))
export const ChartSource = z.enum(getSourceNames(REPORT_CHARTS))
export const TableSource = z.enum(getSourceNames(REPORT_TABLES))
export type FigureSource = z.infer<typeof FigureSource>
export type ChartSource = z.infer<typeof ChartSource>
export type TableSource = z.infer<typeof TableSource>

/** A part of a report: the company's own words, or a figure, a chart or a table of what is known. */
export const ReportBlock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), title: OptionalText, text: z.string().trim().max(4000) }),
  z.strictObject({ kind: z.literal('figure'), source: FigureSource }),
  z.strictObject({ kind: z.literal('chart'), source: ChartSource }),
  z.strictObject({ kind: z.literal('table'), source: TableSource }),
])
export type ReportBlock = z.infer<typeof ReportBlock>
export const ReportBlocks = z.array(ReportBlock).min(1, 'Un rapport tient au moins un bloc.').max(40)

/** Null for words, which take nothing from anywhere. */
export function getBlockSource(block: ReportBlock): BlockSource | null {
  if (block.kind === 'text') return null
  if (block.kind === 'figure') return REPORT_FIGURES[block.source]
  return block.kind === 'chart' ? REPORT_CHARTS[block.source] : REPORT_TABLES[block.source]
}

export const isSourceAllowed = (source: BlockSource, subject: ReportSubject, span: ReportSpan) =>
  source.of.includes(subject) && (source.span ?? span) === span

export const BLOCK_LABELS: Record<ReportBlock['kind'], string> = {
  text: 'Texte',
  figure: 'Chiffre',
  chart: 'Graphique',
  table: 'Tableau',
}
