import { drawingColours, type IsoPoint, toPolygon } from '../../components/drawing/iso.ts'
import { Box, Drawing, GroundPlate, Meter } from '../../components/drawing/solids.tsx'

const [HOURS, QUARTERS] = [24, 4]
const COLS = 12
const cells = Array.from({ length: HOURS * QUARTERS }, (_, index) => index)
const missingCells = new Set([42, 43, 54, 55])
const correctedCells = new Set([29, 30])

/** The sun of that quarter of an hour: nothing at night, most at noon. */
const computeHeight = (index: number) => {
  const hour = index / QUARTERS
  return Math.max(0.12, 1.05 * Math.sin(((hour - 6) / 12) * Math.PI))
}

const toHolePath = ([x, y]: readonly [number, number]) => {
  const square: IsoPoint[] = [
    [x, y, 0],
    [x + 0.72, y, 0],
    [x + 0.72, y + 0.72, 0],
    [x, y + 0.72, 0],
  ]
  return toPolygon(square)
}

function Quarter({ index }: { index: number }) {
  const place = [0.7 + (index % COLS) * 0.95, 0.7 + Math.floor(index / COLS) * 0.95] as const
  if (missingCells.has(index))
    return <path d={toHolePath(place)} fill={drawingColours.light} strokeDasharray="2.5 2.5" />
  const height = computeHeight(index)
  const walls = correctedCells.has(index)
    ? { top: drawingColours.leaf, left: '#0f9c8d', right: drawingColours.surplus }
    : height > 0.2
      ? { top: drawingColours.glow, left: '#d98807', right: drawingColours.sun }
      : {}
  return <Box at={[...place, 0]} size={[0.72, 0.72, height]} {...walls} />
}

/** The 96 quarters of an hour of a day: measured, corrected, missing. */
export const QuarterHourMosaic = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-214 -34 496 330"
    className={className}
    label="Les 96 quarts d’heure d’une journée, un par case&nbsp;: plats la nuit, hauts à midi&nbsp;; quatre manquent, deux ont été corrigés."
  >
    <GroundPlate size={[12.6, 9.6]} />
    {cells.map((index) => (
      <Quarter key={index} index={index} />
    ))}
    <Meter at={[11.8, 8.8, 0]} />
  </Drawing>
)
