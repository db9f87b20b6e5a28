import type { EnergySeries } from '@voisol/contract/energy'
import { addDays, addMonths, dayOf, dayStart, monthOf } from '@voisol/energy/calendar'
import { QUALITY_MARK } from '../../../../components/chart/series.ts'
import type { ExplorerSeries } from '../../../../components/curve-explorer/explorer-model.ts'
import { toEpochMinute } from '../../../../components/energy-explorer/columns.ts'
import type { OwnSide, Side } from './my-points.ts'

const clearColumn = (column: (number | null)[]) => column.map(() => null)

/**
 * One side of somebody's energy; of a producer, what was shared takes the place of what was received. A battery of one's own
 * gives to others and takes from others: it is a part of neither.
 */
export const restrictToSide = ({ storage: _, ...data }: EnergySeries, side: Side): EnergySeries =>
  side === 'consumption'
    ? {
        ...data,
        surplus: clearColumn(data.surplus),
        produced: clearColumn(data.produced),
        shared: clearColumn(data.shared),
      }
    : {
        ...data,
        allocated: data.shared,
        complement: clearColumn(data.complement),
        consumed: clearColumn(data.consumed),
      }

/** Where the step that begins there ends: a curve that is looked at closely ends before the period does. */
function getStepEnd({ step, granularity }: EnergySeries, start: number): number {
  if (step !== null) return start + step
  const day = dayOf(start)
  return dayStart(granularity === 'month' ? addMonths(monthOf(day), 1) : addDays(day, 1))
}

/** What ends before somebody came in is no gap: it is marked so. */
export function markBeforeEntry(data: EnergySeries, entry: string | null, to: string): EnergySeries {
  if (entry === null) return data
  const starts = data.starts.map(toEpochMinute)
  const ends = starts.map((start, at) => starts[at + 1] ?? Math.min(getStepEnd(data, start), dayStart(to)))
  const first = dayStart(entry)
  return {
    ...data,
    marks: data.marks.map((mark, at) => ((ends[at] ?? first + 1) <= first ? QUALITY_MARK.before : mark)),
  }
}

type LabelChange = [from: string, to: string]
const LABEL_CHANGES: Record<'home' | 'battery', Record<Side, LabelChange[]>> = {
  home: { consumption: [], production: [['nergie locale', 'nergie partagée']] },
  battery: {
    consumption: [
      ['nergie locale', 'nergie stockée'],
      ['Consommation', 'Charge'],
    ],
    production: [
      ['nergie locale', 'nergie restituée'],
      ['Production', 'Décharge'],
      ['Surplus', 'Sans preneur'],
    ],
  },
}

/** What a consumer calls local energy is, for a producer, energy shared. */
export const relabelSeries = (series: ExplorerSeries[], mine: Pick<OwnSide, 'side' | 'battery'>): ExplorerSeries[] => {
  const changes = LABEL_CHANGES[mine.battery ? 'battery' : 'home'][mine.side]
  const relabel = (label: string) => changes.reduce((text, [from, to]) => text.replace(from, to), label)
  return changes.length > 0 ? series.map((one) => ({ ...one, label: relabel(one.label) })) : series
}
