import type { ReportBlock, ReportSpan, ReportSubject } from '@voisol/contract/report-blocks'
import type { ReportPreset } from '@voisol/contract/reports'

export type Preset = { name: string; purpose: string; subject: ReportSubject; span: ReportSpan; blocks: ReportBlock[] }

const text = (title: string, words: string): ReportBlock => ({ kind: 'text', title, text: words })
type Of<K extends ReportBlock['kind']> = Extract<ReportBlock, { kind: K; source: string }>['source']
const figures = (...sources: Of<'figure'>[]) => sources.map((source): ReportBlock => ({ kind: 'figure', source }))
const chart = (source: Of<'chart'>): ReportBlock => ({ kind: 'chart', source })
const table = (source: Of<'table'>): ReportBlock => ({ kind: 'table', source })

export const PRESETS: Record<ReportPreset, Preset> = {
  'operation-month': {
    name: 'Rapport mensuel d’opération',
    purpose: 'Le mois d’une opération\u00a0: ce qui a été produit, partagé et consommé, et par qui.',
    subject: 'operation',
    span: 'month',
    blocks: [
      ...figures('produced', 'shared', 'selfConsumption', 'consumed', 'selfProduction', 'co2'),
      chart('course'),
      table('comparison'),
      chart('day'),
      table('members'),
      table('plants'),
    ],
  },
  'assembly-year': {
    name: 'Rapport annuel d’assemblée',
    purpose:
      'L’année à présenter à une assemblée\u00a0: l’énergie, qui a payé, qui a économisé, ce que la toiture a rapporté.',
    subject: 'operation',
    span: 'year',
    blocks: [
      ...figures('produced', 'shared', 'selfProduction', 'billed', 'saved', 'earned'),
      chart('course'),
      chart('shares'),
      table('buyers'),
      table('sellers'),
      table('course'),
    ],
  },
  'participant-year': {
    name: 'Année d’un participant',
    purpose: 'Ce qu’une personne a consommé, reçu du voisinage et payé dans l’année.',
    subject: 'participant',
    span: 'year',
    blocks: [
      ...figures('consumed', 'allocated', 'selfProduction', 'suppliedNet', 'suppliedGross', 'co2'),
      chart('course'),
      chart('day'),
      table('supplied'),
      table('course'),
    ],
  },
  'producer-year': {
    name: 'Année d’un producteur',
    purpose: 'Ce qu’un producteur a produit, partagé et vendu dans l’année, frais déduits.',
    subject: 'producer',
    span: 'year',
    blocks: [
      ...figures('produced', 'shared', 'surplus', 'sales', 'fees', 'result'),
      chart('course'),
      table('sales'),
      table('course'),
    ],
  },
  'impact-year': {
    name: 'Fiche d’impact pour la commune',
    purpose: 'Une page pour les élus\u00a0: énergie locale, CO₂ évité, participants et valeur restée sur place.',
    subject: 'operation',
    span: 'year',
    blocks: [
      ...figures('members', 'shared', 'co2', 'produced', 'selfProduction', 'value'),
      chart('course'),
      table('plants'),
      text(
        'Comment lire cette fiche',
        'L’énergie partagée est celle qui a été produite et consommée au même moment par les participants, mesurée par les compteurs et répartie selon la clé de l’opération. Elle n’a pas eu à venir de plus loin.',
      ),
    ],
  },
}
