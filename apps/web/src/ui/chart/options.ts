import type uPlot from 'uplot'
import { number } from '../../lib/format.ts'
import { drawBackground, drawZero, gapsOf } from './background.ts'
import { tickLabel } from './text.ts'
import type { ChartData, Series, Span } from './types.ts'

const HEIGHT = 300
const FONT = '12px "Inter Variable", system-ui, sans-serif'
const INK = '#475569'

/** A canvas knows no CSS variable: the colour is read once from the page. */
export function resolveColour(color: string, element: Element) {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1]
  return name ? getComputedStyle(element).getPropertyValue(name).trim() : color
}

/** Stacked series are drawn as running sums; all others as they are. */
export function drawnValues(series: Series[]) {
  let below: (number | null)[] = []
  return series.map((one) => {
    if (one.kind !== 'stacked') return one.values
    below = one.values.map((value, index) => (value === null ? null : value + (below[index] ?? 0)))
    return below
  })
}

/** Stacks last first, so that a lower layer is painted over the sum above it; then lines and areas on top. */
const inDrawingOrder = <T>(series: Series[], drawn: T[]) => {
  const stacked = drawn.filter((_, index) => series[index]?.kind === 'stacked')
  return [...stacked.toReversed(), ...drawn.filter((_, index) => series[index]?.kind !== 'stacked')]
}

export const alignedData = ({ times, series }: ChartData): uPlot.AlignedData => [
  times,
  ...inDrawingOrder(series, drawnValues(series)),
]

const tint = (hex: string, alpha: string) => (/^#[0-9a-f]{6}$/i.test(hex) ? hex + alpha : hex)

function seriesOptions(series: Series, element: Element): uPlot.Series {
  const stroke = resolveColour(series.color, element)
  const filled: Record<Series['kind'], string | undefined> = {
    line: undefined,
    dashed: undefined,
    area: tint(stroke, '2E'),
    stacked: stroke,
  }
  return {
    label: series.label,
    stroke,
    width: series.kind === 'stacked' ? 1 : 1.75,
    dash: series.kind === 'dashed' ? [6, 4] : undefined,
    fill: filled[series.kind],
    spanGaps: false,
    points: { show: false },
  }
}

const axes = (): uPlot.Axis[] => [
  {
    font: FONT,
    stroke: INK,
    grid: { show: false },
    ticks: { stroke: '#CBD5E1', width: 1, size: 4 },
    size: 30,
    space: 72,
    values: (_, splits, __, ___, step) => splits.map((split) => tickLabel(split, step)),
  },
  {
    font: FONT,
    stroke: INK,
    size: 52,
    grid: { stroke: '#EEF2F6', width: 1 },
    ticks: { show: false },
    values: (_, splits) => splits.map((split) => number(split)),
  },
]

type Listeners = { onIndex: (index: number | null) => void; onSpan: (span: Span) => void }

export function chartOptions(
  data: ChartData,
  nights: Span[],
  element: HTMLElement,
  listeners: Listeners,
  tzDate: uPlot.LocalDateFromUnix,
): uPlot.Options {
  const gaps = gapsOf(data)
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate,
    padding: [12, 12, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7, width: 2 }, y: false },
    scales: {
      x: { time: true },
      y: { range: { min: { pad: 0.05, soft: 0, mode: 1 }, max: { pad: 0.08, soft: 0, mode: 1 } } },
    },
    axes: axes(),
    series: [
      {},
      ...inDrawingOrder(
        data.series,
        data.series.map((series) => seriesOptions(series, element)),
      ),
    ],
    hooks: {
      drawClear: [(plot) => drawBackground(plot, nights, gaps)],
      draw: [drawZero],
      setCursor: [(plot) => listeners.onIndex(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width > 4) listeners.onSpan([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')])
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}
