import type { PointerEvent } from 'react'
import type { Quarter } from './model.ts'

const HEIGHT = 100

/** Steps, because a quarter of an hour has one figure: from left to right, then back along the ground. */
function buildAreaPath(values: number[], most: number) {
  const y = (value: number) => (HEIGHT - (value / most) * HEIGHT).toFixed(1)
  return `M0 ${HEIGHT}${values.map((value, index) => `V${y(value)}H${index + 1}`).join('')}V${HEIGHT}Z`
}
function buildLinePath(values: number[], most: number) {
  const y = (value: number) => (HEIGHT - (value / most) * HEIGHT).toFixed(1)
  return values.map((value, index) => `${index ? 'L' : 'M'}${index + 0.5} ${y(value)}`).join('')
}

type ChartProps = { quarters: Quarter[]; at: number; onAt: (index: number) => void }

/** The day as it went: what was shared in front of what was produced, so that the surplus is what sticks out. */
export function DayChart({ quarters, at, onAt }: ChartProps) {
  const maxValue = Math.max(...quarters.flatMap(({ produced, consumed }) => [produced, consumed])) * 1.06
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * quarters.length)
    onAt(Math.min(quarters.length - 1, Math.max(0, index)))
  }
  return (
    <svg
      viewBox={`0 0 ${quarters.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerMove={follow}
      onPointerDown={follow}
      className="block h-40 w-full cursor-crosshair touch-pan-y sm:h-64"
    >
      {[24, 48, 72].map((x) => (
        <line key={x} x1={x} x2={x} y1={0} y2={HEIGHT} stroke="#e2e8f0" vectorEffect="non-scaling-stroke" />
      ))}
      <path
        d={buildAreaPath(
          quarters.map(({ produced }) => produced),
          maxValue,
        )}
        fill="var(--data-surplus)"
        fillOpacity={0.55}
      />
      <path
        d={buildAreaPath(
          quarters.map(({ shared }) => shared),
          maxValue,
        )}
        fill="var(--data-local)"
      />
      <path
        d={buildLinePath(
          quarters.map(({ consumed }) => consumed),
          maxValue,
        )}
        fill="none"
        stroke="var(--data-consumption)"
        strokeWidth={2}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <rect x={at} width={1} height={HEIGHT} fill="#0f172a" fillOpacity={0.12} />
      <line
        x1={at + 0.5}
        x2={at + 0.5}
        y1={0}
        y2={HEIGHT}
        stroke="#0f172a"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
      <line
        x1={0}
        x2={quarters.length}
        y1={HEIGHT}
        y2={HEIGHT}
        stroke="#64748b"
        strokeWidth={2}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

export const HourScale = () => (
  <div aria-hidden="true" className="tabular mt-1.5 flex justify-between text-xs text-ink-soft">
    {[0, 6, 12, 18, 24].map((hour) => (
      <span key={hour}>{`${hour}\u00a0h`}</span>
    ))}
  </div>
)
