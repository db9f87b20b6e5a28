import { formatDayInput } from '../../../lib/day-text.ts'
import { ALLOCATION_METHOD_LABELS, PERIMETER_LABELS, VAT_MODE_LABELS, ZONE_LABELS } from '../../../lib/energy-labels.ts'
import { formatCount, formatPower } from '../../../lib/format.ts'
import { formatPrice, parsePrice } from '../../../lib/price.ts'
import { type ConsumerRow, isBatteryRow, isBlankRow, type OperationWizardDraft } from './draft.ts'
import { computeDraftPower } from './perimeter.ts'
import { formatSharePercent, sumShares } from './shares.ts'

export type DraftFact = { label: string; value: string }
const NOT_PROVIDED = 'Non renseigné'
const toFact = (label: string, value: string): DraftFact => ({ label, value: value.trim() || NOT_PROVIDED })

export const formatPeakPower = (watts: number) => formatPower(watts).replace(/W$/, 'Wc')
const countFilledRows = (rows: { name: string; prm: string }[]) => rows.filter((row) => !isBlankRow(row)).length

/** « 12 consommateurs et 1 batterie ». */
export function describeConsumers(rows: ConsumerRow[]): string {
  const batteries = countFilledRows(rows.filter(isBatteryRow))
  const homes = formatCount(countFilledRows(rows) - batteries, 'consommateur')
  return batteries ? `${homes} et ${formatCount(batteries, 'batterie')}` : homes
}

const formatDraftPrice = (draft: OperationWizardDraft) => {
  const value = parsePrice(draft.price)
  return value === null ? '' : formatPrice(value)
}
const describeKey = (draft: OperationWizardDraft) => {
  const hasFixedShares = draft.method === 'static' || draft.method === 'redistributed'
  return (
    ALLOCATION_METHOD_LABELS[draft.method].label +
    (hasFixedShares ? `, ${formatSharePercent(sumShares(draft.consumers))} répartis` : '')
  )
}

/** What the draft says, step by step. */
export const buildDraftFacts = (draft: OperationWizardDraft): { step: number; title: string; facts: DraftFact[] }[] => {
  const { watts } = computeDraftPower(draft)
  return [
    {
      step: 0,
      title: 'Identité',
      facts: [
        toFact('Nom', draft.name),
        toFact('Numéro ACC', draft.accNumber),
        toFact('Début', formatDayInput(draft.startsOn)),
      ],
    },
    {
      step: 1,
      title: 'Organisateur',
      facts: [toFact('Dénomination', draft.pmoName), toFact('SIREN', draft.pmoSiren)],
    },
    {
      step: 2,
      title: 'Périmètre',
      facts: [
        toFact('Adresse', [draft.address, `${draft.postalCode} ${draft.city}`.trim()].filter(Boolean).join(', ')),
        toFact('Type', PERIMETER_LABELS[draft.perimeter]),
        toFact('Zone', ZONE_LABELS[draft.zone]),
        toFact('Puissance', watts > 0 ? formatPeakPower(watts) : ''),
      ],
    },
    {
      step: 3,
      title: 'Producteurs',
      facts: [toFact('Saisis', formatCount(countFilledRows(draft.producers), 'producteur'))],
    },
    { step: 4, title: 'Consommateurs', facts: [toFact('Saisis', describeConsumers(draft.consumers))] },
    { step: 5, title: 'Clé de répartition', facts: [toFact('Méthode', describeKey(draft))] },
    {
      step: 6,
      title: 'Tarif',
      facts: [
        toFact('Prix hors taxes', formatDraftPrice(draft)),
        toFact('TVA', VAT_MODE_LABELS[draft.vatMode]),
        toFact('Surplus vendu à', draft.surplusBuyer),
      ],
    },
  ]
}
