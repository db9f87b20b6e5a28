import { dayOf } from '@voisol/energy/calendar'
import type { Bar } from '../chart/bars.tsx'
import { type ChartData, isBeforeEntry } from '../chart/types.ts'
import { formatAxisDay, formatShortMonth } from '../period/label.ts'

/** Layers become the bar; lines become levels across it. A line alone is the bar itself. */
export function toBars({ times, series }: ChartData, each: 'day' | 'month') {
  const isLayer = (one: ChartData['series'][number]) => one.kind === 'stacked' || one.kind === 'area'
  const layers = series.filter(isLayer)
  const lines = series.filter((one) => !isLayer(one))
  // Beyond a year a month alone names two bars.
  const monthOf = (day: string) =>
    times.length > 12 ? `${formatShortMonth(day)} ${day.slice(2, 4)}` : formatShortMonth(day)
  const bars = times.map((seconds, index): Bar => {
    const day = dayOf(seconds / 60)
    return {
      label: each === 'day' ? formatAxisDay(day) : monthOf(day),
      short: each === 'day' ? String(Number(day.slice(8))) : undefined,
      values: layers.map((one) => one.values[index] ?? null),
      before: layers.length > 0 && layers.every((one) => isBeforeEntry(one, index)),
      levels: lines.map((one) => ({ value: one.values[index] ?? null, color: one.color, dashed: one.kind !== 'line' })),
    }
  })
  return { bars, layers }
}

/** The bar a key leads to. */
export function getNextBarIndex(key: string, index: number | null, count: number) {
  const moves: Record<string, number> = {
    ArrowLeft: Math.max(0, (index ?? 1) - 1),
    ArrowRight: Math.min(count - 1, (index ?? -1) + 1),
    Home: 0,
    End: count - 1,
  }
  return moves[key]
}
