import { type Plane, type Point, polyline, project } from '../../ui/drawing/iso.ts'
import { tone } from '../../ui/drawing/palette.ts'
import {
  Box,
  Drawing,
  House,
  leftWall,
  Meter,
  Panels,
  Patch,
  Plate,
  slopeOf,
  within,
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
        <Box key={`${x} ${y}`} at={[x, y, 0]} size={[0.4, 0.4, TOP - 0.3]} left={tone.glass} />
      ))}
      <Box at={[0.8, 0.8, TOP - 0.3]} size={[10.6, 8.2, 0.3]} left={tone.glass} right={tone.shade} />
    </>
  )
}

/** The plan of the roof, and the sun's course on it. */
function Plan() {
  const sheet: Plane = { origin: [1.6, 8.2, TOP], u: [5, 0, 0], v: [0, -3.6, 0] }
  const curve = [0, 0.7, 1.2, 1.4, 1.2, 0.7, 0].map((height, index): Point => [2.2 + index * 0.62, 7.6 - height, TOP])
  return (
    <>
      <Patch plane={sheet} part={[0, 0, 1, 1]} fill={tone.light} />
      <path d={polyline(curve)} fill="none" stroke={tone.sun} strokeWidth={2.6} />
      <path
        d={polyline([
          [2.1, 7.7, TOP],
          [6.1, 7.7, TOP],
        ])}
        fill="none"
        stroke={tone.glass}
        strokeWidth={2}
      />
    </>
  )
}

function Laptop({ at: [x, y, z] }: { at: Point }) {
  const screen = { at: [x, y, z + 0.1], size: [2.8, 0.14, 1.9] } as const
  return (
    <>
      <Box {...screen} left={tone.light} />
      <Patch plane={within(leftWall(screen), 0.06, 0.08, 0.88, 0.84)} part={[0, 0, 1, 1]} fill={tone.panel} />
      {[0.16, 0.34, 0.52, 0.7].map((s, index) => (
        <Patch
          key={s}
          plane={within(leftWall(screen), s, 0.18, 0.12, [0.24, 0.5, 0.62, 0.34][index] ?? 0.3)}
          part={[0, 0, 1, 1]}
          fill={tone.sun}
        />
      ))}
      <Box at={[x, y + 0.14, z]} size={[2.8, 1.7, 0.1]} top={tone.mid} />
    </>
  )
}

const Lamp = ({ at }: { at: Point }) => {
  const [x, y] = project(at)
  return (
    <>
      <ellipse cx={x} cy={y} rx={14} ry={8} fill={tone.glass} />
      <path d={`M${x} ${y}l-8 -62l34 -34`} fill="none" strokeWidth={2.4} />
      <path d={`M${x + 12} ${y - 104}l30 4l6 26l-22 -4z`} fill={tone.sun} />
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
      <Plate size={[12.2, 10.4]} />
      <Table />
      <Lamp at={[2.2, 1.8, TOP]} />
      <Laptop at={[5, 1.6, TOP]} />
      <Plan />
      <House {...model} rise={1.2} />
      <Panels plane={within(slopeOf(model, 1.2), 0.08, 0.16, 0.84, 0.68)} cols={4} rows={2} />
      <Patch plane={leftWall(model)} part={[0.62, 0, 0.84, 0.7]} fill={tone.panel} />
      <Patch plane={leftWall(model)} part={[0.14, 0.3, 0.44, 0.72]} fill={tone.sun} />
      <Meter at={[10.4, 3, TOP]} />
    </Drawing>
  )
}
