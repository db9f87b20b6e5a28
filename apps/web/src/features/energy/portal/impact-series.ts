import type { EnergySeries } from '@voisol/contract/energy'
import type { ExplorerSeries } from '../../../ui/curve-explorer/model.ts'
import { toEpochMinute } from '../../../ui/energy-explorer/columns.ts'
import type { Side } from './my-points.ts'

export type ImpactMode = 'each' | 'sum'

/** Sums from the first to each; what is not known adds nothing. */
function cumulate(values: (number | null)[]): number[] {
  let sum = 0
  return values.map((value) => (sum += value ?? 0))
}

/** Grams of CO₂ avoided by month or by day, each alone or added to those before. */
export function buildImpactSeries(data: EnergySeries, side: Side, gramsPerKwh: number, shown: ImpactMode) {
  const column = side === 'consumption' ? data.allocated : data.shared
  const grams = column.map((wattHours) => (wattHours === null ? null : (wattHours / 1000) * gramsPerKwh))
  const series: ExplorerSeries[] = [
    {
      key: shown,
      label: shown === 'each' ? 'CO₂ évité' : 'CO₂ évité depuis votre entrée',
      role: 'local',
      values: shown === 'each' ? grams : cumulate(grams),
      quality: data.marks,
    },
  ]
  return { series, starts: data.starts.map(toEpochMinute) }
}
