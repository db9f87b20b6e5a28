import { useMemo } from 'react'
import type { ChartData, TimeRange } from '../chart/types.ts'
import { buildSilhouette } from './silhouette.ts'
import { useBrush } from './use-brush.ts'

const HEIGHT = 44

type OverviewProps = { data: ChartData; limits: number[]; span: TimeRange; onSpan: (span: TimeRange) => void }

/** The whole period in small; the part shown above can be dragged, stretched, or moved by arrow keys. */
export function Overview({ data, limits, span, onSpan }: OverviewProps) {
  const { path, count } = useMemo(() => buildSilhouette(data, HEIGHT), [data])
  const { track, place, jump, slider } = useBrush(limits, span, onSpan)
  return (
    <div
      ref={track}
      data-print="hide"
      onPointerDown={jump}
      className="relative mr-3 ml-[52px] h-11 touch-none rounded-sm bg-page ring-1 ring-line"
    >
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${count} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        <path d={path} fill="#94A3B8" />
      </svg>
      <div
        {...slider('window')}
        style={{ left: `${place(span[0])}%`, right: `${100 - place(span[1])}%` }}
        className="absolute inset-y-0 min-w-1 cursor-grab rounded-sm border-x-2 border-primary bg-primary/15 active:cursor-grabbing"
      />
      {(['from', 'to'] as const).map((part) => (
        <div
          key={part}
          {...slider(part)}
          style={{ left: `${place(part === 'from' ? span[0] : span[1])}%` }}
          className="absolute inset-y-0 grid w-6 -translate-x-1/2 cursor-ew-resize place-items-center rounded-sm"
        >
          <span className="h-5 w-2 rounded-full border border-primary bg-card" />
        </div>
      ))}
    </div>
  )
}
