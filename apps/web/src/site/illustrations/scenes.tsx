import { Flats, Home, Pole, School, Works } from '../../ui/drawing/buildings.tsx'
import { around, type Plane, type Point, polygon, polyline, project } from '../../ui/drawing/iso.ts'
import { tone } from '../../ui/drawing/palette.ts'
import {
  Box,
  Drawing,
  Flow,
  House,
  leftWall,
  Meter,
  Panels,
  Patch,
  Plate,
  slopeOf,
  Tree,
  Windows,
  within,
} from '../../ui/drawing/solids.tsx'

type Props = { className?: string }

/** A block of flats that shares its own roof. */
export const Condominium = ({ className }: Props) => (
  <Drawing
    viewBox={around([10, 11], 6.2)}
    className={className}
    label="Un immeuble dont le toit solaire alimente les logements et les parties communes."
  >
    <Plate size={[10, 11]} />
    <Tree at={[1, 6, 0]} />
    <Flats at={[1.6, 1.2, 0]} floors={6} />
    <Flow
      points={[
        [6.2, 4.4, 0],
        [7.6, 4.4, 0],
        [7.6, 6.6, 0],
        [3.8, 6.6, 0],
        [3.8, 5.4, 0],
      ]}
    />
    <Meter at={[6.3, 2.2, 0]} />
    <Meter at={[6.3, 3.2, 0]} />
    <Meter at={[6.3, 4.2, 0]} />
    <Meter at={[3.6, 5.2, 0]} />
    <Tree at={[9, 2.6, 0]} size={0.9} />
    <Tree at={[9, 6.6, 0]} />
    <Tree at={[1.6, 7, 0]} size={0.8} />
  </Drawing>
)

function Perimeter() {
  const [cx, cy] = project([6, 5.5, 0])
  return (
    <ellipse
      cx={cx}
      cy={cy}
      rx={236}
      ry={136}
      fill={tone.ground}
      stroke={tone.sun}
      strokeDasharray="1 8"
      strokeWidth={2.4}
    />
  )
}

const DistrictFlows = () => (
  <>
    <Flow
      points={[
        [9.4, 5.2, 0],
        [9.4, 6.6, 0],
        [5.4, 6.6, 0],
        [5.4, 4.6, 0],
      ]}
    />
    <Flow
      points={[
        [5.4, 6.6, 0],
        [5.4, 10.2, 0],
        [8, 10.2, 0],
      ]}
    />
    <Flow
      points={[
        [5.4, 6.6, 0],
        [3, 6.6, 0],
        [3, 8.4, 0],
      ]}
    />
  </>
)

/** A district inside its legal circle. */
export function District({ className }: Props) {
  return (
    <Drawing
      viewBox="-236 -136 500 418"
      className={className}
      label="Un éco-quartier : une école et un immeuble solaires alimentent les logements du périmètre, tracé en cercle autour d’eux."
    >
      <Perimeter />
      <DistrictFlows />
      <Flats at={[0.6, 0.8, 0]} floors={4} />
      <Meter at={[5.1, 4.2, 0]} />
      <School at={[7.6, 0.4, 0]} />
      <Meter at={[9.2, 4.9, 0]} />
      <Home at={[1.2, 6.4, 0]} />
      <Meter at={[2.8, 8.8, 0]} />
      <Home at={[6.6, 7.4, 0]} panels={4} />
      <Meter at={[7.8, 9.8, 0]} />
      <Tree at={[11, 6.6, 0]} />
      <Tree at={[10.4, 7.8, 0]} size={0.8} />
      <Tree at={[4.4, 9.4, 0]} size={0.8} />
    </Drawing>
  )
}

/** A factory and the workshops beside it. */
export const Factory = ({ className }: Props) => (
  <Drawing
    viewBox={around([13, 10], 2.6)}
    className={className}
    label="Une usine au toit solaire alimente les ateliers voisins ; le surplus rejoint le réseau."
  >
    <Plate size={[13, 10]} />
    <Pole at={[12, 1, 0]} />
    <Flow
      kind="surplus"
      points={[
        [9.6, 6.2, 0],
        [12, 6.2, 0],
        [12, 1, 0],
      ]}
    />
    <Works at={[0.8, 0.8, 0]} teeth={5} />
    <Flow
      points={[
        [8, 5.2, 0],
        [8, 6.2, 0],
        [9.6, 6.2, 0],
        [9.6, 9.4, 0],
        [3, 9.4, 0],
      ]}
    />
    <Meter at={[7.8, 5, 0]} />
    <Box at={[1, 6.4, 0]} size={[3.4, 2.2, 1.7]} />
    <Box at={[5.4, 6.4, 0]} size={[3, 2.2, 1.4]} />
    <Panels plane={{ origin: [1.3, 8.3, 1.7], u: [2.8, 0, 0], v: [0, -1.6, 0] }} cols={4} rows={2} />
    <Meter at={[2.8, 8.9, 0]} />
    <Meter at={[6.8, 8.9, 0]} />
    <Tree at={[11.6, 8, 0]} />
  </Drawing>
)

const [MIDDLE, TOP] = [5.5, 11]
const heights = [0.6, 0.8, 1.6, 2.9, 3.6, 3.2, 2, 1, 0.7]

function DayCurve() {
  const curve = heights.map((height, i): Point => [0.8 + i * 0.8, 4.8, MIDDLE + height * 0.6])
  const outline = polygon([[0.8, 4.8, MIDDLE], ...curve, [7.2, 4.8, MIDDLE]])
  return <path d={outline} fill={tone.glow} stroke={tone.sun} strokeWidth={2} />
}

function Invoice() {
  const sheet: Plane = { origin: [2, 4.6, TOP], u: [4.4, 0, 0], v: [0, -3.2, 0] }
  const row = (y: number, end: number) =>
    polyline([
      [2.5, y, TOP],
      [end, y, TOP],
    ])
  return (
    <>
      <Patch plane={sheet} part={[0, 0, 1, 1]} fill={tone.light} />
      <path d={[1.9, 2.5, 3.1].map((y) => row(y, 5.2)).join('')} fill="none" stroke={tone.glass} strokeWidth={3} />
      <path d={row(4, 4)} fill="none" stroke={tone.sun} strokeWidth={4} />
    </>
  )
}

/** Three stages, from the meter to the invoice. */
export const Stages = ({ className }: Props) => (
  <Drawing
    viewBox={around([8, 6], TOP)}
    className={className}
    label="Trois niveaux superposés : les compteurs, la répartition au quart d’heure, la facture."
  >
    <Plate size={[8, 6]} />
    {[2, 4, 6].map((x) => (
      <Meter key={x} at={[x, 3.4, 0]} />
    ))}
    {[1, 3, 5].map((x) => (
      <Meter key={x} at={[x, 5, 0]} />
    ))}
    <Plate size={[8, 6]} z={MIDDLE} />
    <DayCurve />
    <Plate size={[8, 6]} z={TOP} />
    <Invoice />
  </Drawing>
)

/** A roof under study: the sun's course in summer and in winter, the shade of a tree. */
export function Study({ className }: Props) {
  const roof = { at: [2, 1.4, 0], size: [5, 3.6, 2] } as const
  return (
    <Drawing
      viewBox="-192 -166 410 390"
      className={className}
      label="L’étude d’un toit : les courses du soleil en été et en hiver, la pente, l’ombre portée."
    >
      <Plate size={[9, 8]} />
      <g fill="none" stroke={tone.sun} strokeWidth={2} strokeDasharray="1 8">
        <path d="M-180 70A190 210 0 0 1 200 70" />
        <path d="M-130 70A140 140 0 0 1 150 70" />
      </g>
      <circle cx={10} cy={-140} r={20} fill={tone.sun} stroke="none" />
      <circle cx={10} cy={-70} r={12} fill={tone.glow} stroke={tone.sun} />
      <House {...roof} rise={1.6} roof={tone.light} />
      <Panels plane={within(slopeOf(roof, 1.6), 0.05, 0.1, 0.9, 0.8)} cols={6} rows={3} />
      <Windows plane={within(leftWall(roof), 0.1, 0.3, 0.8, 0.42)} cols={5} rows={1} gap={0.4} />
      <Flow
        points={[
          [5.2, 5.6, 0],
          [5.2, 7, 0],
          [8.6, 7, 0],
        ]}
      />
      <Meter at={[5, 5.3, 0]} />
      <Tree at={[1.2, 6.8, 0]} size={1.2} />
    </Drawing>
  )
}

/** Three situations on three plates. */
export const Situations = ({ className }: Props) => (
  <Drawing
    viewBox="-296 -225 592 465"
    className={className}
    label="Trois situations reliées : un immeuble, une école de quartier, un atelier."
  >
    <Flow
      points={[
        [0, 0, 0],
        [8, 0, 0],
      ]}
    />
    <Flow
      points={[
        [0, 0, 0],
        [0, 8, 0],
      ]}
    />
    <g>
      <Plate size={[6, 5.4]} at={[-4.4, -4.4]} />
      <Flats at={[-3.6, -3.6, 0]} floors={4} />
      <Tree at={[1.2, -3.8, 0]} size={0.8} />
    </g>
    <g>
      <Plate size={[6, 5.6]} at={[-4.4, 3.2]} />
      <Works at={[-3.8, 3.9, 0]} />
      <Meter at={[1, 6, 0]} />
    </g>
    <g>
      <Plate size={[6, 5.6]} at={[3.4, -4.4]} />
      <School at={[3.9, -3.8, 0]} />
      <Meter at={[6, 0.5, 0]} />
    </g>
    <g>
      <Plate size={[6, 5.6]} at={[3.4, 3.2]} />
      <Tree at={[8.4, 4.2, 0]} />
      <Home at={[4.4, 4.2, 0]} />
      <Meter at={[5.6, 6.8, 0]} />
      <Tree at={[4.2, 8, 0]} size={0.8} />
    </g>
  </Drawing>
)
