import { findPerimeterProblems, type PerimeterProblem } from '@voisol/energy/perimeter'
import { formatDayInput } from '../../../../lib/day-input.ts'
import {
  ALLOCATION_METHOD_LABELS,
  PERIMETER_LABELS,
  VAT_MODE_LABELS,
  ZONE_LABELS,
} from '../../../../lib/energy-labels.ts'
import { parsePosition } from '../../../../lib/field-schemas.ts'
import { formatCount, formatPower, parseNumber } from '../../../../lib/format.ts'
import { formatPrice, parsePrice } from '../../../../lib/price.ts'
import {
  type ConsumerRow,
  formatSharePercent,
  isBatteryRow,
  isBlankRow,
  type OperationWizardDraft,
  sumShares,
} from './draft.ts'

const parseWatts = (text: string) => Math.round((parseNumber(text) ?? 0) * 1000)

/** That of the plants once they are known, else the declared one. */
export function computeDraftPower({ producers, capacity }: Pick<OperationWizardDraft, 'producers' | 'capacity'>) {
  const plants = producers.filter((row) => !isBlankRow(row)).reduce((sum, { kwc }) => sum + parseWatts(kwc), 0)
  return { plants, declared: parseWatts(capacity), watts: plants || parseWatts(capacity) }
}

export const buildDraftPlaces = ({ producers, consumers }: Pick<OperationWizardDraft, 'producers' | 'consumers'>) =>
  [...producers, ...consumers]
    .filter((row) => !isBlankRow(row))
    .map((row, at) => {
      const { latitude, longitude } = parsePosition(row.position) ?? { latitude: Number.NaN, longitude: Number.NaN }
      return { id: String(at), label: row.name, latitude, longitude }
    })

/** What the rules say of the draft as it stands. */
export const checkDraftPerimeter = (draft: OperationWizardDraft): PerimeterProblem[] =>
  findPerimeterProblems({
    perimeter: draft.perimeter,
    zone: draft.zone,
    points: buildDraftPlaces(draft),
    watts: computeDraftPower(draft).watts,
  })

/** A refusal is told where it can be mended: at the declared power, at the plants, or at the places. */
export function findPerimeterRefusals(
  draft: OperationWizardDraft,
  cause: 'declared' | 'plants' | 'distance',
): { message: string }[] {
  const { plants, declared } = computeDraftPower(draft)
  const { perimeter, zone } = draft
  const points = cause === 'distance' ? buildDraftPlaces(draft) : []
  const watts = { declared, plants, distance: 0 }[cause]
  return findPerimeterProblems({ perimeter, zone, points, watts })
    .filter(({ severity }) => severity === 'refused')
    .map(({ message, rule }) => ({ message: `${message.replace(/\.$/, '')} (${rule}).` }))
}

type DraftFact = { label: string; value: string }
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
