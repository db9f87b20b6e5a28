import { drawingColours, type IsoPlane, type IsoPoint, projectPoint, toPolyline } from '../../components/drawing/iso.ts'
import {
  Box,
  Drawing,
  GroundPlate,
  getLeftWall,
  Meter,
  PlanePatch,
  toSubPlane,
} from '../../components/drawing/solids.tsx'

const days = Array.from({ length: 28 }, (_, day) => [day % 7, Math.floor(day / 7)] as const)
/** Days on which something moves: an entry, a departure, a new key. */
const dayMoves: Record<number, { fill: string; height: number }> = {
  4: { fill: drawingColours.sun, height: 0.7 },
  11: { fill: drawingColours.panel, height: 0.7 },
  17: { fill: drawingColours.surplus, height: 1.2 },
  24: { fill: drawingColours.sun, height: 0.7 },
}
const darkerShades: Record<string, string> = {
  [drawingColours.sun]: '#d98807',
  [drawingColours.panel]: '#16306f',
  [drawingColours.surplus]: '#0f9c8d',
}

const Calendar = () =>
  days.map(([col, row], day) => {
    const move = dayMoves[day]
    const at: IsoPoint = [0.8 + col * 1.3, 3 + row * 1.3, 0]
    return move ? (
      <Box
        key={at.join()}
        at={at}
        size={[1, 1, move.height]}
        top={move.fill}
        left={darkerShades[move.fill]}
        right={move.fill}
      />
    ) : (
      <Box key={at.join()} at={at} size={[1, 1, 0.16]} />
    )
  })

const MapFlag = ({ at, fill }: { at: IsoPoint; fill: string }) => {
  const [x, y] = projectPoint(at)
  return (
    <>
      <path d={`M${x} ${y}v-46`} fill="none" strokeWidth={1.8} />
      <path d={`M${x} ${y - 46}l26 8l-26 9z`} fill={fill} />
    </>
  )
}

function FileBinder({ at: [x, y, z] }: { at: IsoPoint }) {
  const body = { at: [x, y, z], size: [2.6, 0.5, 3] } as const
  const face: IsoPlane = toSubPlane(getLeftWall(body), 0.16, 0.52, 0.68, 0.3)
  return (
    <>
      <Box {...body} left={drawingColours.light} />
      <PlanePatch plane={face} part={[0, 0, 1, 1]} fill={drawingColours.cream} />
      <path
        d={toPolyline([
          [x + 0.6, y + 0.5, z + 1],
          [x + 2, y + 0.5, z + 1],
        ])}
        stroke={drawingColours.glass}
        strokeWidth={3}
        fill="none"
      />
    </>
  )
}

/** A month on the ground, with what moves in it, and the files that follow. */
export const RegisterScene = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-222 -84 470 364"
    className={className}
    label="Un mois posé à plat&nbsp;: une entrée, un départ et un changement de clé y sont marqués à leur jour&nbsp;; les dossiers sont rangés derrière."
  >
    <GroundPlate size={[11.4, 10]} />
    {[0, 1, 2].map((index) => (
      <FileBinder key={index} at={[1 + index * 3.1, 0.8, 0]} />
    ))}
    <Calendar />
    <MapFlag at={[0.8 + 4 * 1.3 + 0.5, 3.5, 0.7]} fill={drawingColours.sun} />
    <MapFlag at={[0.8 + 3 * 1.3 + 0.5, 3 + 2 * 1.3 + 0.5, 1.2]} fill={drawingColours.surplus} />
    {[0, 1, 2, 3].map((index) => (
      <Meter key={index} at={[1.4 + index * 2.6, 8.8, 0]} />
    ))}
  </Drawing>
)
