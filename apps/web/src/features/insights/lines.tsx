import type { Evidence } from '@voisol/contract/insights'
import { formatNumber } from '../../lib/format.ts'

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 200, 8, 22]
/** The first is what was measured; the others are told apart by their stroke too. */
export const EVIDENCE_STROKES = [
  { color: 'var(--data-consumption)', dash: undefined },
  { color: 'var(--data-local)', dash: '6 4' },
  { color: 'var(--data-surplus)', dash: '2 3' },
]

type Scale = { x: (at: number) => number; y: (value: number) => number }

/** A hole breaks the line. */
function buildLinePath(values: (number | null)[], { x, y }: Scale): string {
  let isDrawing = false
  return values
    .map((value, at) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const command = isDrawing ? 'L' : 'M'
      isDrawing = true
      return `${command}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join('')
}

/** The numbers of a finding as curves over its days or hours; the table beside holds the same. */
export function EvidenceLines({ evidence, labelAt }: { evidence: Evidence; labelAt: (at: number) => string }) {
  const { series, labels, unit } = evidence
  const maxValue = Math.max(1e-9, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const scale: Scale = {
    x: (at) => LEFT + (at / Math.max(1, labels.length - 1)) * (WIDTH - 2 * LEFT),
    y: (value) => 12 + (1 - Math.max(0, value) / maxValue) * (HEIGHT - BOTTOM - 12),
  }
  const ends = [0, labels.length - 1]
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-auto w-full overflow-visible">
      {[0, maxValue / 2, maxValue].map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={WIDTH - LEFT} y1={scale.y(value)} y2={scale.y(value)} stroke="var(--color-line)" />
          <text x={LEFT} y={scale.y(value) - 3} fontSize="11" fill="var(--color-ink-soft)">
            {value === 0 ? '0' : `${formatNumber(value, maxValue < 10 ? 1 : 0)}\u00a0${unit}`}
          </text>
        </g>
      ))}
      {series.map(({ name, values }, at) => (
        <path
          key={name}
          d={buildLinePath(values, scale)}
          fill="none"
          stroke={EVIDENCE_STROKES[at % 3]?.color}
          strokeDasharray={EVIDENCE_STROKES[at % 3]?.dash}
          strokeWidth="2"
          strokeLinejoin="round"
        />
      ))}
      {ends.map((at, end) => (
        <text
          key={at}
          x={scale.x(at)}
          y={HEIGHT - 6}
          fontSize="11"
          textAnchor={end === 0 ? 'start' : 'end'}
          fill="var(--color-ink-soft)"
        >
          {labelAt(at)}
        </text>
      ))}
    </svg>
  )
}
