import { z } from 'zod'
import type { Permission } from './permissions.ts'
import { OptionalText } from './primitives.ts'

/** Whom or what a report is about. */
export const ReportSubject = z.enum(['operation', 'participant', 'producer'])
export type ReportSubject = z.infer<typeof ReportSubject>
export const ReportSpan = z.enum(['month', 'year'])
export type ReportSpan = z.infer<typeof ReportSpan>

type Source = {
  label: string
  of: readonly ReportSubject[]
  /** Without it, one may not make what shows this. */
  right: Permission
  /** Where it tells of years alone. */
  span?: ReportSpan
}
const EVERY = ReportSubject.options
const energy = (label: string, of: readonly ReportSubject[] = EVERY): Source => ({ label, of, right: 'energy.read' })
const ofOperation = (label: string): Source => ({ label, of: ['operation'], right: 'invoices.read' })
const ofParticipant = (label: string): Source => ({ label, of: ['participant'], right: 'invoices.read', span: 'year' })
const ofProducer = (label: string): Source => ({ label, of: ['producer'], right: 'parties.read', span: 'year' })

export const FIGURES = {
  produced: energy('Énergie produite', ['operation', 'producer']),
  shared: energy('Énergie partagée', ['operation', 'producer']),
  surplus: energy('Surplus', ['operation', 'producer']),
  selfConsumption: energy('Taux d’autoconsommation', ['operation', 'producer']),
  consumed: energy('Énergie consommée', ['operation', 'participant']),
  allocated: energy('Énergie locale reçue', ['operation', 'participant']),
  selfProduction: energy('Taux d’autoproduction', ['operation', 'participant']),
  co2: energy('CO₂ évité'),
  value: energy('Valeur de l’énergie locale'),
  members: energy('Participants', ['operation']),
  billed: ofOperation('Facturé TTC'),
  settled: ofOperation('Réglé'),
  open: ofOperation('Reste dû'),
  saved: ofOperation('Économie HT'),
  earned: ofOperation('Rapporté par la toiture'),
  suppliedNet: ofParticipant('Facturé HT'),
  suppliedGross: ofParticipant('Facturé TTC'),
  sales: ofProducer('Ventes TTC'),
  fees: ofProducer('Frais TTC'),
  result: ofProducer('Résultat'),
} as const satisfies Record<string, Source>

export const CHARTS = {
  course: energy('Énergie, mois par mois ou jour par jour'),
  day: energy('Journée moyenne, heure par heure'),
  shares: energy('Parts de l’énergie partagée', ['operation']),
} as const satisfies Record<string, Source>

export const TABLES = {
  comparison: energy('Comparaison avec la période d’avant et l’année d’avant'),
  course: energy('Énergie, mois par mois ou jour par jour'),
  members: energy('Énergie de chaque participant', ['operation']),
  plants: energy('Énergie de chaque installation', ['operation']),
  buyers: ofOperation('Qui a payé, qui a économisé'),
  sellers: ofOperation('Ce que la toiture a rapporté'),
  supplied: ofParticipant('Factures, mois par mois'),
  sales: ofProducer('Ventes, mois par mois'),
} as const satisfies Record<string, Source>

/** Keys of the literals, which `Object.keys` forgets. */
const namesOf = <T extends Record<string, Source>>(sources: T) =>
  Object.keys(sources) as [keyof T & string, ...(keyof T & string)[]]
export const FigureSource = z.enum(namesOf(FIGURES))
export const ChartSource = z.enum(namesOf(CHARTS))
export const TableSource = z.enum(namesOf(TABLES))
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
export function sourceOf(block: ReportBlock): Source | null {
  if (block.kind === 'text') return null
  if (block.kind === 'figure') return FIGURES[block.source]
  return block.kind === 'chart' ? CHARTS[block.source] : TABLES[block.source]
}

export const fits = (source: Source, subject: ReportSubject, span: ReportSpan) =>
  source.of.includes(subject) && (source.span ?? span) === span

export const BLOCK_WORDS: Record<ReportBlock['kind'], string> = {
  text: 'Texte',
  figure: 'Chiffre',
  chart: 'Graphique',
  table: 'Tableau',
}
