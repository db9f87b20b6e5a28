import type { Summary, Totals } from '@voisol/contract/energy'
import { energyLike, money, percent } from '../../lib/format.ts'
import { measures } from '../curve-explorer/measure.ts'

export type LineKey = 'produced' | 'shared' | 'surplus' | 'consumed' | 'selfConsumption' | 'selfProduction' | 'co2'

export type Line = {
  label: string
  figure: string
  of: (totals: Totals) => number | null
  good?: 'up' | 'down'
  note?: string
  /** A share: it changes by points. */
  points?: boolean
  /** The share of the whole that is in no run yet: as long as there is much, it is not held against another period. */
  pending?: (totals: Totals) => number
}

export const rate = (value: number | null) => (value === null ? '–' : percent(value))

const ofProduction = ({ pendingProduced, produced }: Totals) => (produced > 0 ? pendingProduced / produced : 0)
const ofConsumption = ({ pendingConsumed, consumed }: Totals) => (consumed > 0 ? pendingConsumed / consumed : 0)

/** Before a run nothing is known of what was shared: that is no zero. */
const tellerOf =
  ({ steps }: Summary) =>
  (text: string) =>
    steps.allocated > 0 ? text : '–'

const valueWords = ({ current: { valueCents }, steps }: Summary) =>
  valueCents === null || steps.allocated === 0
    ? undefined
    : `Valeur de l’énergie locale\u00a0: ${money(valueCents)} hors taxes.`

/** On what a rate is computed; what passes through a battery counts once in each. */
const WORDS = {
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
export function linesOf(summary: Summary): Record<LineKey, Line> {
  const { current, co2 } = summary
  const { produced, shared, surplus, consumed, allocated, complement } = current
  const told = tellerOf(summary)
  const energy = energyLike([produced, shared, surplus])
  const on = (wattHours: number, words: string) =>
    wattHours > 0 ? `Sur ${energyLike([wattHours])(wattHours)} ${words}.` : undefined
  return {
    produced: { label: 'Production', figure: energy(produced), of: (t) => t.produced, good: 'up' },
    shared: {
      label: 'Énergie partagée',
      figure: told(energy(shared)),
      of: (t) => t.shared,
      good: 'up',
      note: valueWords(summary),
      pending: ofProduction,
    },
    surplus: { label: 'Surplus', figure: told(energy(surplus)), of: (t) => t.surplus, pending: ofProduction },
    consumed: { label: 'Consommation', figure: energyLike([consumed])(consumed), of: (t) => t.consumed },
    selfConsumption: {
      label: 'Taux d’autoconsommation',
      figure: rate(current.selfConsumption),
      of: (t) => t.selfConsumption,
      good: 'up',
      points: true,
      note: on(shared + surplus, WORDS[current.storage ? 'stored' : 'plain'].shared),
    },
    selfProduction: {
      label: 'Taux d’autoproduction',
      figure: rate(current.selfProduction),
      of: (t) => t.selfProduction,
      good: 'up',
      points: true,
      note: on(allocated + complement, WORDS[current.storage ? 'stored' : 'plain'].covered),
    },
    co2: {
      label: 'CO₂ évité',
      figure: told(measures.carbon.text(current.co2Grams)),
      of: (t) => t.co2Grams,
      good: 'up',
      note: co2.source,
      pending: ofConsumption,
    },
  }
}
