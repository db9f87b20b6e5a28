import type { EnergySeries } from '@voisol/contract/energy'
import type { ExplorerSeries } from '../../../ui/curve-explorer/model.ts'
import type { Side } from './my-points.ts'

const unknown = (column: (number | null)[]) => column.map(() => null)

/**
 * One side of somebody's energy; of a producer, what was shared takes the place of what was received. A battery of one's own
 * gives to others and takes from others: it is a part of neither.
 */
export const sideOf = ({ storage: _, ...data }: EnergySeries, side: Side): EnergySeries =>
  side === 'consumption'
    ? { ...data, surplus: unknown(data.surplus), produced: unknown(data.produced), shared: unknown(data.shared) }
    : {
        ...data,
        allocated: data.shared,
        complement: unknown(data.complement),
        consumed: unknown(data.consumed),
      }

/** What a consumer calls local energy is, for a producer, energy shared. */
export const named = (series: ExplorerSeries[], side: Side): ExplorerSeries[] =>
  side === 'consumption'
    ? series
    : series.map((one) => ({ ...one, label: one.label.replace('nergie locale', 'nergie partagée') }))
