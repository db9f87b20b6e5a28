import type { ReportBlock, ReportSpan, ReportSubject } from '@voisol/contract/report-blocks'
import type { ReportPreset } from '@voisol/contract/reports'

export type ReportPresetDefinition = {
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
