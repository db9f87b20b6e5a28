import { type IsoPlane, type IsoPoint, projectPoint, toPolyline } from '../../ui/drawing/iso.ts'
import { drawingColours } from '../../ui/drawing/palette.ts'
import {
  Box,
  Drawing,
  GroundPlate,
  getLeftWall,
  getRoofSlope,
  House,
  Meter,
  PlanePatch,
  SolarPanels,
  toSubPlane,
} from '../../ui/drawing/solids.tsx'

const TOP = 3

const Table = () => {
  const legs: [number, number][] = [
    [1.2, 8.2],
    [10.6, 8.2],
    [10.6, 1.2],
  ]
  return (
    <>
      {legs.map(([x, y]) => (
        <Box key={`${x} ${y}`} at={[x, y, 0]} size={[0.4, 0.4, TOP - 0.3]} left={drawingColours.glass} />
      ))}
      <Box
        at={[0.8, 0.8, TOP - 0.3]}
        size={[10.6, 8.2, 0.3]}
        left={drawingColours.glass}
        right={drawingColours.shade}
      />
    </>
  )
}

/** The plan of the roof, and the sun's course on it. */
function RoofPlan() {
  const sheetPlane: IsoPlane = { origin: [1.6, 8.2, TOP], u: [5, 0, 0], v: [0, -3.6, 0] }
  const curve = [0, 0.7, 1.2, 1.4, 1.2, 0.7, 0].map(
    (height, index): IsoPoint => [2.2 + index * 0.62, 7.6 - height, TOP],
  )
  return (
    <>
      <PlanePatch plane={sheetPlane} part={[0, 0, 1, 1]} fill={drawingColours.light} />
      <path d={toPolyline(curve)} fill="none" stroke={drawingColours.sun} strokeWidth={2.6} />
      <path
        d={toPolyline([
          [2.1, 7.7, TOP],
          [6.1, 7.7, TOP],
        ])}
        fill="none"
        stroke={drawingColours.glass}
        strokeWidth={2}
      />
    </>
  )
}

function Laptop({ at: [x, y, z] }: { at: IsoPoint }) {
  const screen = { at: [x, y, z + 0.1], size: [2.8, 0.14, 1.9] } as const
  return (
    <>
      <Box {...screen} left={drawingColours.light} />
      <PlanePatch
        plane={toSubPlane(getLeftWall(screen), 0.06, 0.08, 0.88, 0.84)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.panel}
      />
      {[0.16, 0.34, 0.52, 0.7].map((s, index) => (
        <PlanePatch
          key={s}
          plane={toSubPlane(getLeftWall(screen), s, 0.18, 0.12, [0.24, 0.5, 0.62, 0.34][index] ?? 0.3)}
          part={[0, 0, 1, 1]}
          fill={drawingColours.sun}
        />
      ))}
      <Box at={[x, y + 0.14, z]} size={[2.8, 1.7, 0.1]} top={drawingColours.mid} />
    </>
  )
}

const Lamp = ({ at }: { at: IsoPoint }) => {
  const [x, y] = projectPoint(at)
  return (
    <>
      <ellipse cx={x} cy={y} rx={14} ry={8} fill={drawingColours.glass} />
      <path d={`M${x} ${y}l-8 -62l34 -34`} fill="none" strokeWidth={2.4} />
      <path d={`M${x + 12} ${y - 104}l30 4l6 26l-22 -4z`} fill={drawingColours.sun} />
    </>
  )
}

/** A work table: the model of a house, its plan, its meter, its figures. */
export function DrawingTable({ className }: { className?: string }) {
  const model = { at: [7.2, 4.8, TOP], size: [2.6, 2.2, 1.3] } as const
  return (
    <Drawing
      viewBox="-216 -150 500 460"
      className={className}
      label="Une table de travail&nbsp;: la maquette d’une maison solaire, son plan, un ordinateur qui montre une courbe, un compteur."
    >
      <GroundPlate size={[12.2, 10.4]} />
      <Table />
      <Lamp at={[2.2, 1.8, TOP]} />
      <Laptop at={[5, 1.6, TOP]} />
      <RoofPlan />
      <House {...model} rise={1.2} />
      <SolarPanels plane={toSubPlane(getRoofSlope(model, 1.2), 0.08, 0.16, 0.84, 0.68)} cols={4} rows={2} />
      <PlanePatch plane={getLeftWall(model)} part={[0.62, 0, 0.84, 0.7]} fill={drawingColours.panel} />
      <PlanePatch plane={getLeftWall(model)} part={[0.14, 0.3, 0.44, 0.72]} fill={drawingColours.sun} />
      <Meter at={[10.4, 3, TOP]} />
    </Drawing>
  )
}
