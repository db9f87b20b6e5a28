import { drawingColours, type IsoPoint, projectPoint, toPolygon } from '../../components/drawing/iso.ts'
import {
  Box,
  Drawing,
  EnergyCable,
  GroundPlate,
  getLeftWall,
  getRightWall,
  getRoofSlope,
  House,
  Meter,
  PlanePatch,
  SolarPanels,
  Tree,
  toSubPlane,
} from '../../components/drawing/solids.tsx'

/** A round body seen from above: two ellipses and the wall between them. */
function Tank({ at, radius, height }: { at: IsoPoint; radius: number; height: number }) {
  const [x, y] = projectPoint(at)
  const [rx, ry, h] = [radius * 29.4, radius * 17, height * 24]
  return (
    <>
      <path d={`M${x - rx} ${y - h}v${h}a${rx} ${ry} 0 0 0 ${2 * rx} 0v${-h}z`} fill={drawingColours.mid} />
      <path
        d={`M${x - rx} ${y - h * 0.45}v${h * 0.45}a${rx} ${ry} 0 0 0 ${2 * rx} 0v${-h * 0.45}a${rx} ${ry} 0 0 1 ${-2 * rx} 0z`}
        fill={drawingColours.glow}
      />
      <ellipse cx={x} cy={y - h} rx={rx} ry={ry} fill={drawingColours.light} />
    </>
  )
}

function Car({ at: [x, y, z] }: { at: IsoPoint }) {
  const body = { at: [x, y, z + 0.25], size: [3.4, 1.6, 0.7] } as const
  const cabin = { at: [x + 0.7, y + 0.1, z + 0.95], size: [1.8, 1.4, 0.65] } as const
  const wheels: IsoPoint[] = [
    [x + 0.8, y + 1.6, z + 0.25],
    [x + 2.7, y + 1.6, z + 0.25],
  ]
  return (
    <>
      <Box {...body} left={drawingColours.panel} right="#2a4ca8" top={drawingColours.panelLine} />
      <Box {...cabin} left={drawingColours.glass} right={drawingColours.mid} top={drawingColours.light} />
      {wheels.map((wheel) => {
        const [cx, cy] = projectPoint(wheel)
        return <ellipse key={cx} cx={cx} cy={cy} rx={7} ry={9} fill={drawingColours.text} />
      })}
    </>
  )
}

/** The hours of the day on the ground; the sunny ones are lit. */
const HourTiles = () =>
  Array.from({ length: 12 }, (_, hour) => {
    const x = 0.5 + hour
    const lit = hour >= 5 && hour <= 8
    return (
      <path
        key={x}
        d={toPolygon([
          [x, 10.4, 0],
          [x + 0.8, 10.4, 0],
          [x + 0.8, 11.4, 0],
          [x, 11.4, 0],
        ])}
        fill={lit ? drawingColours.sun : drawingColours.street}
      />
    )
  })

function Charger({ at }: { at: IsoPoint }) {
  const body = { at, size: [0.6, 0.6, 1.7] } as const
  return (
    <>
      <Box {...body} left={drawingColours.light} right={drawingColours.mid} />
      <PlanePatch
        plane={toSubPlane(getLeftWall(body), 0.18, 0.58, 0.64, 0.26)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.sun}
      />
    </>
  )
}

/** What can wait for the sun: the water tank and the car. */
export function LoadShiftingScene({ className }: { className?: string }) {
  const roof = { at: [1, 1, 0], size: [6, 4, 2.4] } as const
  const [sunX, sunY] = projectPoint([9.4, 0.6, 7])
  return (
    <Drawing
      viewBox="-262 -162 542 472"
      className={className}
      label="Une maison solaire à midi&nbsp;: le ballon d’eau chaude et la voiture électrique se chargent pendant les heures de soleil, marquées au sol."
    >
      <GroundPlate size={[12.8, 12]} />
      <circle cx={sunX} cy={sunY} r={34} fill={drawingColours.glow} stroke="none" />
      <circle cx={sunX} cy={sunY} r={21} fill={drawingColours.sun} stroke="none" />
      <Tree at={[9.4, 1.4, 0]} />
      <Tree at={[11.4, 2.2, 0]} size={0.8} />
      <House {...roof} rise={2} />
      <SolarPanels plane={toSubPlane(getRoofSlope(roof, 2), 0.06, 0.12, 0.88, 0.78)} cols={6} rows={3} />
      <PlanePatch plane={getRightWall(roof)} part={[0.3, 0.25, 0.7, 0.75]} fill={drawingColours.glass} />
      <PlanePatch plane={getLeftWall(roof)} part={[0.72, 0, 0.92, 0.72]} fill={drawingColours.panel} />
      <PlanePatch plane={getLeftWall(roof)} part={[0.08, 0.3, 0.28, 0.72]} fill={drawingColours.sun} />
      <EnergyCable
        points={[
          [5, 5.2, 0],
          [5, 6.4, 0],
          [2.2, 6.4, 0],
          [2.2, 7.2, 0],
        ]}
      />
      <EnergyCable
        points={[
          [5, 6.4, 0],
          [8.3, 6.4, 0],
        ]}
      />
      <Meter at={[4.8, 5.1, 0]} />
      <Tank at={[2.2, 8, 0]} radius={0.9} height={2.6} />
      <Charger at={[8.3, 6.1, 0]} />
      <Car at={[8.6, 7.6, 0]} />
      <HourTiles />
    </Drawing>
  )
}
