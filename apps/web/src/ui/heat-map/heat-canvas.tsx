import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { formatShortMonth } from '../period/label.ts'
import { useWidth } from '../use-width.ts'
import { drawHeatMap } from './draw.ts'
import { describeCell, type HeatCell, type HeatData, type Hue, moveCell } from './model.ts'

type HeatCanvasProps = {
  data: HeatData
  hue: Hue
  label: string
  cell: HeatCell | null
  onCell: (cell: HeatCell | null) => void
  format: (value: number) => string
}

const MIN_TICK_WIDTH = 36
const LABELLED_HOURS = [0, 6, 12, 18]

/** Months under a year, days of the month under a month. */
function buildDayTicks(days: string[], width: number) {
  const long = days.length > 62
  const ticks = days.flatMap((day, at) => {
    const date = Number(day.slice(8))
    if (long) return date === 1 ? [{ at, label: formatShortMonth(day) }] : []
    return at % 5 === 0 ? [{ at, label: String(date) }] : []
  })
  const every = Math.max(1, Math.ceil((ticks.length * MIN_TICK_WIDTH) / width))
  return ticks.filter((_, index) => index % every === 0)
}

/** Days across, hours down; the arrow keys walk it cell by cell. */
export function HeatCanvas({ data, hue, label, cell, onCell, format }: HeatCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [container, width] = useWidth<HTMLDivElement>(640)
  const count = data.days.length
  useEffect(() => {
    if (canvas.current && width > 0) drawHeatMap(canvas.current, data, hue, cell)
  }, [data, hue, cell, width])
  const onPointerMove = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    const day = Math.floor(((event.clientX - box.left) / box.width) * count)
    const hour = Math.floor(((event.clientY - box.top) / box.height) * 24)
    if (data.days[day] !== undefined && hour >= 0 && hour < 24) onCell({ day, hour })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? null : moveCell(cell ?? { day: 0, hour: 12 }, event.key, count)
    if (event.key !== 'Escape' && !next) return
    event.preventDefault()
    onCell(next)
  }
  return (
    <div className="grid grid-cols-[2.25rem_minmax(0,1fr)]">
      <div aria-hidden="true" className="tabular relative h-60 text-[12px] text-ink-soft">
        {LABELLED_HOURS.map((hour) => (
          <span key={hour} className="absolute right-2" style={{ top: `${(hour / 24) * 100}%` }}>
            {hour}&nbsp;h
          </span>
        ))}
      </div>
      <div ref={container} className="min-w-0 overflow-hidden">
        <div
          role="application"
          aria-roledescription="carte des heures et des jours"
          aria-label={`${label}. Flèches pour aller d’une heure ou d’un jour à l’autre. ${cell ? describeCell(data, cell, format) : ''}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the cursor of the drawing
          tabIndex={0}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => onCell(null)}
          className="h-60 focus-visible:-outline-offset-2"
        >
          <canvas ref={canvas} className="block size-full" />
        </div>
        <div aria-hidden="true" className="tabular relative mt-1 h-5 text-[12px] text-ink-soft">
          {buildDayTicks(data.days, width).map(({ at, label: tick }) => (
            <span key={at} className="absolute" style={{ left: `${(at / count) * 100}%` }}>
              {tick}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}
