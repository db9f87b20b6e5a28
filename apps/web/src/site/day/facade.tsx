import { INK, tone } from '../../ui/drawing/palette.ts'

const [WIDTH, COLUMNS, CELL, FLOOR] = [360, 4, 52, 38]
const LEFT = (WIDTH - COLUMNS * CELL) / 2
const ROOF = 100
const FLATS = 24
const PANE = { width: 34, height: 25 }

/** The sun where it stands: it rises at the left with the first energy of the roof and sets at the right with the last. */
function Sun({ production, at }: { production: number[]; at: number }) {
  const first = production.findIndex((value) => value > 0)
  const last = production.findLastIndex((value) => value > 0)
  const course = (at - first) / Math.max(1, last - first)
  if (first < 0 || course < 0 || course > 1) return null
  const angle = Math.PI * (1 - course)
  const [x, y] = [WIDTH / 2 + 150 * Math.cos(angle), ROOF + 2 - 76 * Math.sin(angle)]
  return (
    <g>
      <circle cx={x} cy={y} r={19} fill={tone.glow} />
      <circle cx={x} cy={y} r={12} fill={tone.sun} />
    </g>
  )
}

/** The panels shine with what they make. */
const Panels = ({ strength }: { strength: number }) =>
  Array.from({ length: 4 }, (_, index) => {
    const x = LEFT + 4 + index * 52
    return (
      <g key={x}>
        <path d={`M${x} ${ROOF - 3}l12 -17h30l-6 17z`} fill={tone.panel} stroke={INK} strokeWidth={1.2} />
        <path d={`M${x} ${ROOF - 3}l12 -17h30l-6 17z`} fill={tone.sun} fillOpacity={strength * 0.75} />
      </g>
    )
  })

/** A window fills with the part of its electricity that comes from the roof at this moment. */
function Pane({ x, y, width = PANE.width, share }: { x: number; y: number; width?: number; share: number }) {
  const filled = PANE.height * Math.min(1, share)
  return (
    <g>
      <rect x={x} y={y} width={width} height={PANE.height} fill="#e8edf4" />
      <rect
        x={x}
        y={y + PANE.height - filled}
        width={width}
        height={filled}
        fill={tone.sun}
        className="transition-[y,height] duration-150 motion-reduce:transition-none"
      />
      <rect x={x} y={y} width={width} height={PANE.height} fill="none" stroke={INK} strokeWidth={1.2} />
    </g>
  )
}

/** The key of this operation is the default one: at a given moment everybody has the same part of the roof. */
type FacadeProps = { production: number[]; at: number; share: number; className?: string }

/** The building of the demonstration: a window for each flat, the common parts at the ground, the roof above. */
export function Facade({ production, at, share, className }: FacadeProps) {
  const flats = Array.from({ length: FLATS }, (_, index) => index)
  const floors = FLATS / COLUMNS
  const ground = ROOF + floors * FLOOR + 54
  return (
    <svg viewBox={`0 0 ${WIDTH} ${ground + 10}`} aria-hidden="true" className={className}>
      <Sun production={production} at={at} />
      <Panels strength={(production[at] ?? 0) / Math.max(...production)} />
      <rect
        x={LEFT - 8}
        y={ROOF}
        width={COLUMNS * CELL + 16}
        height={ground - ROOF}
        fill={tone.light}
        stroke={INK}
        strokeWidth={1.6}
      />
      <rect
        x={LEFT - 14}
        y={ROOF - 4}
        width={COLUMNS * CELL + 28}
        height={7}
        fill="#dbe3ec"
        stroke={INK}
        strokeWidth={1.2}
      />
      {flats.map((index) => (
        <Pane
          key={index}
          x={LEFT + (index % COLUMNS) * CELL + (CELL - PANE.width) / 2}
          y={ROOF + 13 + (floors - 1 - Math.floor(index / COLUMNS)) * FLOOR}
          share={share}
        />
      ))}
      <Pane x={LEFT + 8} y={ground - 40} width={124} share={share} />
      <rect x={LEFT + 156} y={ground - 42} width={34} height={42} fill="#dbe3ec" stroke={INK} strokeWidth={1.2} />
      <path d={`M8 ${ground}H${WIDTH - 8}`} stroke={INK} strokeWidth={1.6} />
    </svg>
  )
}
