const WIDTH = 96
const HEIGHT = 32
const EDGE_MARGIN = 3

/** Straight pieces between known values; a missing one breaks the line. */
function buildPath(values: (number | null)[], x: (index: number) => number, y: (value: number) => number) {
  let pen = 'M'
  return values
    .map((value, index) => {
      if (value === null) {
        pen = 'M'
        return ''
      }
      const piece = `${pen}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
      pen = 'L'
      return piece
    })
    .join('')
}

/** A trend without axes, beside a figure that says the same in words: decoration for a screen reader. */
export function Sparkline({ values, color = 'var(--primary)' }: { values: (number | null)[]; color?: string }) {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return null
  const low = Math.min(0, ...known)
  const span = Math.max(...known) - low || 1
  const x = (index: number) => EDGE_MARGIN + (index / (values.length - 1)) * (WIDTH - 2 * EDGE_MARGIN)
  const y = (value: number) => HEIGHT - EDGE_MARGIN - ((value - low) / span) * (HEIGHT - 2 * EDGE_MARGIN)
  const last = values.at(-1) ?? null
  return (
    <svg
      aria-hidden="true"
      width={WIDTH}
      height={HEIGHT}
      className="max-w-[45%] shrink-0"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <path
        d={buildPath(values, x, y)}
        fill="none"
        stroke={color}
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      {last !== null && <circle cx={WIDTH - EDGE_MARGIN} cy={y(last)} r="2.5" fill={color} />}
    </svg>
  )
}
