import type { EnergySummary, PeriodEnergyTotals } from '@voisol/contract/energy'
import { createEnergyFormatter, formatMoney, formatPercent } from '../../lib/format.ts'
import { measures } from '../curve-explorer/measure.ts'

export type EnergyLineKey =
  | 'produced'
  | 'shared'
  | 'surplus'
  | 'consumed'
  | 'selfConsumption'
  | 'selfProduction'
  | 'co2'

export type EnergyFigureLine = {
  label: string
  figure: string
  of: (totals: PeriodEnergyTotals) => number | null
  good?: 'up' | 'down'
  note?: string
  /** A share: it changes by points. */
  points?: boolean
  /** The share of the whole that is in no run yet: as long as there is much, it is not held against another period. */
  pending?: (totals: PeriodEnergyTotals) => number
}

export const formatRate = (value: number | null) => (value === null ? '–' : formatPercent(value))

const getPendingProductionShare = ({ pendingProduced, produced }: PeriodEnergyTotals) =>
  produced > 0 ? pendingProduced / produced : 0
const getPendingConsumptionShare = ({ pendingConsumed, consumed }: PeriodEnergyTotals) =>
  consumed > 0 ? pendingConsumed / consumed : 0

/** Before a run nothing is known of what was shared: that is no zero. */
const createAllocatedFormatter =
  ({ steps }: EnergySummary) =>
  (text: string) =>
    steps.allocated > 0 ? text : '–'

const describeLocalValue = ({ current: { valueCents }, steps }: EnergySummary) =>
  valueCents === null || steps.allocated === 0
    ? undefined
    : `Valeur de l’énergie locale\u00a0: ${formatMoney(valueCents)} hors taxes.`

/** On what a rate is computed; what passes through a battery counts once in each. */
const RATE_BASIS = {
  plain: {
    shared: 'produits et répartis, la part consommée par les participants',
    covered: 'consommés et répartis, la part couverte par le local',
  },
  stored: {
    shared: 'produits et répartis, la part consommée ou stockée',
    covered: 'consommés et répartis hors charge des batteries, la part couverte par le local, en direct ou restituée',
  },
}

/** The figures of a period, each under the one name it has on every screen; those in a row share a unit. */
export function buildEnergyLines(summary: EnergySummary): Record<EnergyLineKey, EnergyFigureLine> {
  const { current, co2 } = summary
  const { produced, shared, surplus, consumed, allocated, complement } = current
  const formatAllocated = createAllocatedFormatter(summary)
  const energy = createEnergyFormatter([produced, shared, surplus])
  const describeBasis = (wattHours: number, words: string) =>
    wattHours > 0 ? `Sur ${createEnergyFormatter([wattHours])(wattHours)} ${words}.` : undefined
  return {
    produced: { label: 'Production', figure: energy(produced), of: (t) => t.produced, good: 'up' },
    shared: {
      label: 'Énergie partagée',
      figure: formatAllocated(energy(shared)),
      of: (t) => t.shared,
      good: 'up',
      note: describeLocalValue(summary),
      pending: getPendingProductionShare,
    },
    surplus: {
      label: 'Surplus',
      figure: formatAllocated(energy(surplus)),
      of: (t) => t.surplus,
      pending: getPendingProductionShare,
    },
    consumed: { label: 'Consommation', figure: createEnergyFormatter([consumed])(consumed), of: (t) => t.consumed },
    selfConsumption: {
      label: 'Taux d’autoconsommation',
      figure: formatRate(current.selfConsumption),
      of: (t) => t.selfConsumption,
      good: 'up',
      points: true,
      note: describeBasis(shared + surplus, RATE_BASIS[current.storage ? 'stored' : 'plain'].shared),
    },
    selfProduction: {
      label: 'Taux d’autoproduction',
      figure: formatRate(current.selfProduction),
      of: (t) => t.selfProduction,
      good: 'up',
      points: true,
      note: describeBasis(allocated + complement, RATE_BASIS[current.storage ? 'stored' : 'plain'].covered),
    },
    co2: {
      label: 'CO₂ évité',
      figure: formatAllocated(measures.carbon.text(current.co2Grams)),
      of: (t) => t.co2Grams,
      good: 'up',
      note: co2.source,
      pending: getPendingConsumptionShare,
    },
  }
}
