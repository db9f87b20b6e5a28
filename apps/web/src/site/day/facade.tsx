import { drawingColours, INK } from '../../ui/drawing/palette.ts'

const [WIDTH, COLUMNS, CELL, FLOOR] = [360, 4, 52, 38]
const LEFT = (WIDTH - COLUMNS * CELL) / 2
const ROOF_Y = 100
const FLAT_COUNT = 24
const PANE_SIZE = { width: 34, height: 25 }

/** The sun where it stands: it rises at the left with the first energy of the roof and sets at the right with the last. */
function Sun({ production, at }: { production: number[]; at: number }) {
  const first = production.findIndex((value) => value > 0)
  const last = production.findLastIndex((value) => value > 0)
  const course = (at - first) / Math.max(1, last - first)
  if (first < 0 || course < 0 || course > 1) return null
  const angle = Math.PI * (1 - course)
  const [x, y] = [WIDTH / 2 + 150 * Math.cos(angle), ROOF_Y + 2 - 76 * Math.sin(angle)]
  return (
    <g>
      <circle cx={x} cy={y} r={19} fill={drawingColours.glow} />
      <circle cx={x} cy={y} r={12} fill={drawingColours.sun} />
    </g>
  )
}

/** The panels shine with what they make. */
const Panels = ({ strength }: { strength: number }) =>
  Array.from({ length: 4 }, (_, index) => {
    const x = LEFT + 4 + index * 52
    return (
      <g key={x}>
        <path d={`M${x} ${ROOF_Y - 3}l12 -17h30l-6 17z`} fill={drawingColours.panel} stroke={INK} strokeWidth={1.2} />
        <path d={`M${x} ${ROOF_Y - 3}l12 -17h30l-6 17z`} fill={drawingColours.sun} fillOpacity={strength * 0.75} />
      </g>
    )
  })

/** A window fills with the part of its electricity that comes from the roof at this moment. */
function WindowPane({ x, y, width = PANE_SIZE.width, share }: { x: number; y: number; width?: number; share: number }) {
  const filled = PANE_SIZE.height * Math.min(1, share)
  return (
    <g>
      <rect x={x} y={y} width={width} height={PANE_SIZE.height} fill="#e8edf4" />
      <rect
        x={x}
        y={y + PANE_SIZE.height - filled}
        width={width}
        height={filled}
        fill={drawingColours.sun}
        className="transition-[y,height] duration-150 motion-reduce:transition-none"
      />
      <rect x={x} y={y} width={width} height={PANE_SIZE.height} fill="none" stroke={INK} strokeWidth={1.2} />
    </g>
  )
}

/** The key of this operation is the default one: at a given moment everybody has the same part of the roof. */
type FacadeProps = { production: number[]; at: number; share: number; className?: string }

/** The building of the demonstration: a window for each flat, the common parts at the ground, the roof above. */
export function Facade({ production, at, share, className }: FacadeProps) {
  const flats = Array.from({ length: FLAT_COUNT }, (_, index) => index)
  const floors = FLAT_COUNT / COLUMNS
  const ground = ROOF_Y + floors * FLOOR + 54
  return (
    <svg viewBox={`0 0 ${WIDTH} ${ground + 10}`} aria-hidden="true" className={className}>
      <Sun production={production} at={at} />
      <Panels strength={(production[at] ?? 0) / Math.max(...production)} />
      <rect
        x={LEFT - 8}
        y={ROOF_Y}
        width={COLUMNS * CELL + 16}
        height={ground - ROOF_Y}
        fill={drawingColours.light}
        stroke={INK}
        strokeWidth={1.6}
      />
      <rect
        x={LEFT - 14}
        y={ROOF_Y - 4}
        width={COLUMNS * CELL + 28}
        height={7}
        fill="#dbe3ec"
        stroke={INK}
        strokeWidth={1.2}
      />
      {flats.map((index) => (
        <WindowPane
          key={index}
          x={LEFT + (index % COLUMNS) * CELL + (CELL - PANE_SIZE.width) / 2}
          y={ROOF_Y + 13 + (floors - 1 - Math.floor(index / COLUMNS)) * FLOOR}
          share={share}
        />
      ))}
      <WindowPane x={LEFT + 8} y={ground - 40} width={124} share={share} />
      <rect x={LEFT + 156} y={ground - 42} width={34} height={42} fill="#dbe3ec" stroke={INK} strokeWidth={1.2} />
      <path d={`M8 ${ground}H${WIDTH - 8}`} stroke={INK} strokeWidth={1.6} />
    </svg>
  )
}
