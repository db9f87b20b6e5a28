import type { EnergySummary, PeriodEnergyTotals } from '@voisol/contract/energy'
import type { StorageTotals } from '@voisol/contract/energy-figures'
import { createEnergyFormatter, formatMoney, formatPercent } from '../../lib/format.ts'
import { measures } from '../curve-explorer/energy-measure.ts'
import type { FigureChange } from '../tile.tsx'

type ProductionTotals = { produced: number; shared: number; surplus: number; pendingProduced: number }

/** The energies of one row, in one unit; without a run nothing is known of what was shared. */
export function formatProduction({ produced, shared, surplus, pendingProduced }: ProductionTotals) {
  const energy = createEnergyFormatter([produced, shared, surplus])
  const formatShared = (value: number) => (shared + surplus > 0 ? energy(value) : '–')
  return {
    produced: produced > 0 ? energy(produced) : '–',
    shared: formatShared(shared),
    surplus: formatShared(surplus),
    pending: pendingProduced > 0 ? energy(pendingProduced) : null,
  }
}

/** A production, and under it what of it is in no run yet. */
export function ProducedCell({ row }: { row: ProductionTotals }) {
  const { produced, pending } = formatProduction(row)
  return (
    <span className="block">
      {produced}
      {pending !== null && (
        <span className="block text-[0.8125rem] text-ink-soft">
          <span
            aria-hidden="true"
            className="hatch-missing mr-1.5 inline-block h-2.5 w-3.5 border border-line-strong"
          />
          {pending} pas encore répartis
        </span>
      )}
    </span>
  )
}

export type EnergyLineKey =
  | 'produced'
  | 'shared'
  | 'surplus'
  | 'consumed'
  | 'selfConsumption'
  | 'selfProduction'
  | 'co2'

type EnergyFigureLine = {
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

const formatRate = (value: number | null) => (value === null ? '–' : formatPercent(value))

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

type ComparisonBase = { totals: PeriodEnergyTotals; against: string; season: boolean }

/**
 * What a period is held against: the same days of the year before, where they are known; else the days just before,
 * which had another sun, so that nothing is called good or bad.
 */
export function chooseComparisonBase(
  { from, lastYear, previous }: EnergySummary,
  before: string,
): ComparisonBase | null {
  if (lastYear) return { totals: lastYear, against: `la même période de ${Number(from.slice(0, 4)) - 1}`, season: true }
  return previous && { totals: previous, against: before, season: false }
}

/** More than that of a whole and the parts told are not those of the whole. */
const MAX_PENDING_SHARE = 1 / 200
const isComplete = ({ pending }: EnergyFigureLine, totals: PeriodEnergyTotals) =>
  !pending || pending(totals) <= MAX_PENDING_SHARE

export function computeChange(
  line: EnergyFigureLine,
  current: PeriodEnergyTotals,
  earlier: ComparisonBase | null,
): FigureChange | undefined {
  if (!earlier || !isComplete(line, current) || !isComplete(line, earlier.totals)) return undefined
  const [now, before] = [line.of(current), line.of(earlier.totals)]
  if (now === null || !before || now === 0) return undefined
  const { good, points } = line
  const ratio = points ? now - before : now / before - 1
  return { ratio, against: earlier.against, good: earlier.season ? good : undefined, points }
}

/** What batteries did of a period, each figure under its one name; the parts of both make them. */
export function buildStorageLines({
  charged,
  stored,
  pendingCharged,
  released,
  restored,
  pendingReleased,
}: StorageTotals) {
  const energy = createEnergyFormatter([charged, released])
  const unused = released - restored - pendingReleased
  return [
    { label: 'Stocké', figure: energy(stored), note: 'De la production de l’opération' },
    { label: 'Chargé sur le réseau', figure: energy(charged - stored - pendingCharged), note: 'Hors de l’opération' },
    {
      label: 'Restitué',
      figure: energy(released),
      note: `Dont ${energy(restored)} affectés${unused > 0 ? ` et ${energy(unused)} sans preneur` : ''}`,
    },
    ...(pendingCharged > 0
      ? [
          {
            label: 'Charge pas encore répartie',
            figure: energy(pendingCharged),
            note: `Et ${energy(pendingReleased)} de décharge`,
          },
        ]
      : []),
  ]
}
