import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'

const WIDTH = 96
const HEIGHT = 32

/** A trend without axes, beside a figure that says the same in words: decoration for a screen reader. */
export function Sparkline({ values, color = 'var(--primary)' }: { values: (number | null)[]; color?: string }) {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return null
  const x = scaleLinear([0, values.length - 1], [2, WIDTH - 2])
  const y = scaleLinear([Math.min(0, ...known), Math.max(...known)], [HEIGHT - 2, 3])
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => x(index))
    .y((value) => y(value ?? 0))(values)
  const last = values.at(-1) ?? null
  return (
    <svg
      aria-hidden="true"
      width={WIDTH}
      height={HEIGHT}
      className="max-w-[45%] shrink-0"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <path d={path ?? ''} fill="none" stroke={color} strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
      {last !== null && <circle cx={WIDTH - 3} cy={y(last)} r="2.5" fill={color} />}
    </svg>
  )
}
