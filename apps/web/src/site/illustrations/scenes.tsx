import {
  ApartmentBuilding,
  FactoryBuilding,
  School,
  SmallHouse,
  UtilityPole,
} from '../../components/drawing/buildings.tsx'
import {
  computeViewBox,
  drawingColours,
  type IsoPlane,
  type IsoPoint,
  projectPoint,
  toPolygon,
  toPolyline,
} from '../../components/drawing/iso.ts'
import {
  Box,
  Drawing,
  EnergyCable,
  GroundPlate,
  getLeftWall,
  getRoofSlope,
  House,
  Meter,
  PlanePatch,
  SolarPanels,
  Tree,
  toSubPlane,
  WindowTiles,
} from '../../components/drawing/solids.tsx'

type Props = { className?: string }

/** A block of flats that shares its own roof. */
export const CondominiumScene = ({ className }: Props) => (
  <Drawing
    viewBox={computeViewBox([10, 11], 6.2)}
    className={className}
    label="Un immeuble dont le toit solaire alimente les logements et les parties communes."
  >
    <GroundPlate size={[10, 11]} />
    <Tree at={[1, 6, 0]} />
    <ApartmentBuilding at={[1.6, 1.2, 0]} floors={6} />
    <EnergyCable
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
  const [cx, cy] = projectPoint([6, 5.5, 0])
  return (
    <ellipse
      cx={cx}
      cy={cy}
      rx={236}
      ry={136}
      fill={drawingColours.ground}
      stroke={drawingColours.sun}
      strokeDasharray="1 8"
      strokeWidth={2.4}
    />
  )
}

const DistrictFlows = () => (
  <>
    <EnergyCable
      points={[
        [9.4, 5.2, 0],
        [9.4, 6.6, 0],
        [5.4, 6.6, 0],
        [5.4, 4.6, 0],
      ]}
    />
    <EnergyCable
      points={[
        [5.4, 6.6, 0],
        [5.4, 10.2, 0],
        [8, 10.2, 0],
      ]}
    />
    <EnergyCable
      points={[
        [5.4, 6.6, 0],
        [3, 6.6, 0],
        [3, 8.4, 0],
      ]}
    />
  </>
)

/** A district inside its legal circle. */
export function DistrictScene({ className }: Props) {
  return (
    <Drawing
      viewBox="-236 -136 500 418"
      className={className}
      label="Un éco-quartier : une école et un immeuble solaires alimentent les logements du périmètre, tracé en cercle autour d’eux."
    >
      <Perimeter />
      <DistrictFlows />
      <ApartmentBuilding at={[0.6, 0.8, 0]} floors={4} />
      <Meter at={[5.1, 4.2, 0]} />
      <School at={[7.6, 0.4, 0]} />
      <Meter at={[9.2, 4.9, 0]} />
      <SmallHouse at={[1.2, 6.4, 0]} />
      <Meter at={[2.8, 8.8, 0]} />
      <SmallHouse at={[6.6, 7.4, 0]} panels={4} />
      <Meter at={[7.8, 9.8, 0]} />
      <Tree at={[11, 6.6, 0]} />
      <Tree at={[10.4, 7.8, 0]} size={0.8} />
      <Tree at={[4.4, 9.4, 0]} size={0.8} />
    </Drawing>
  )
}

/** A factory and the workshops beside it. */
export const FactoryScene = ({ className }: Props) => (
  <Drawing
    viewBox={computeViewBox([13, 10], 2.6)}
    className={className}
    label="Une usine au toit solaire alimente les ateliers voisins ; le surplus rejoint le réseau."
  >
    <GroundPlate size={[13, 10]} />
    <UtilityPole at={[12, 1, 0]} />
    <EnergyCable
      kind="surplus"
      points={[
        [9.6, 6.2, 0],
        [12, 6.2, 0],
        [12, 1, 0],
      ]}
    />
    <FactoryBuilding at={[0.8, 0.8, 0]} teeth={5} />
    <EnergyCable
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
    <SolarPanels plane={{ origin: [1.3, 8.3, 1.7], u: [2.8, 0, 0], v: [0, -1.6, 0] }} cols={4} rows={2} />
    <Meter at={[2.8, 8.9, 0]} />
    <Meter at={[6.8, 8.9, 0]} />
    <Tree at={[11.6, 8, 0]} />
  </Drawing>
)

const [MIDDLE, TOP] = [5.5, 11]
const hourHeights = [0.6, 0.8, 1.6, 2.9, 3.6, 3.2, 2, 1, 0.7]

function DayCurve() {
  const curve = hourHeights.map((height, i): IsoPoint => [0.8 + i * 0.8, 4.8, MIDDLE + height * 0.6])
  const outline = toPolygon([[0.8, 4.8, MIDDLE], ...curve, [7.2, 4.8, MIDDLE]])
  return <path d={outline} fill={drawingColours.glow} stroke={drawingColours.sun} strokeWidth={2} />
}

function Invoice() {
  const sheet: IsoPlane = { origin: [2, 4.6, TOP], u: [4.4, 0, 0], v: [0, -3.2, 0] }
  const row = (y: number, end: number) =>
    toPolyline([
      [2.5, y, TOP],
      [end, y, TOP],
    ])
  return (
    <>
      <PlanePatch plane={sheet} part={[0, 0, 1, 1]} fill={drawingColours.light} />
      <path
        d={[1.9, 2.5, 3.1].map((y) => row(y, 5.2)).join('')}
        fill="none"
        stroke={drawingColours.glass}
        strokeWidth={3}
      />
      <path d={row(4, 4)} fill="none" stroke={drawingColours.sun} strokeWidth={4} />
    </>
  )
}

/** Three stages, from the meter to the invoice. */
export const StagesScene = ({ className }: Props) => (
  <Drawing
    viewBox={computeViewBox([8, 6], TOP)}
    className={className}
    label="Trois niveaux superposés : les compteurs, la répartition au quart d’heure, la facture."
  >
    <GroundPlate size={[8, 6]} />
    {[2, 4, 6].map((x) => (
      <Meter key={x} at={[x, 3.4, 0]} />
    ))}
    {[1, 3, 5].map((x) => (
      <Meter key={x} at={[x, 5, 0]} />
    ))}
    <GroundPlate size={[8, 6]} z={MIDDLE} />
    <DayCurve />
    <GroundPlate size={[8, 6]} z={TOP} />
    <Invoice />
  </Drawing>
)

/** A roof under study: the sun's course in summer and in winter, the shade of a tree. */
export function StudyScene({ className }: Props) {
  const roof = { at: [2, 1.4, 0], size: [5, 3.6, 2] } as const
  return (
    <Drawing
      viewBox="-192 -166 410 390"
      className={className}
      label="L’étude d’un toit : les courses du soleil en été et en hiver, la pente, l’ombre portée."
    >
      <GroundPlate size={[9, 8]} />
      <g fill="none" stroke={drawingColours.sun} strokeWidth={2} strokeDasharray="1 8">
        <path d="M-180 70A190 210 0 0 1 200 70" />
        <path d="M-130 70A140 140 0 0 1 150 70" />
      </g>
      <circle cx={10} cy={-140} r={20} fill={drawingColours.sun} stroke="none" />
      <circle cx={10} cy={-70} r={12} fill={drawingColours.glow} stroke={drawingColours.sun} />
      <House {...roof} rise={1.6} roof={drawingColours.light} />
      <SolarPanels plane={toSubPlane(getRoofSlope(roof, 1.6), 0.05, 0.1, 0.9, 0.8)} cols={6} rows={3} />
      <WindowTiles plane={toSubPlane(getLeftWall(roof), 0.1, 0.3, 0.8, 0.42)} cols={5} rows={1} gap={0.4} />
      <EnergyCable
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
export const SituationsScene = ({ className }: Props) => (
  <Drawing
    viewBox="-296 -225 592 465"
    className={className}
    label="Trois situations reliées : un immeuble, une école de quartier, un atelier."
  >
    <EnergyCable
      points={[
        [0, 0, 0],
        [8, 0, 0],
      ]}
    />
    <EnergyCable
      points={[
        [0, 0, 0],
        [0, 8, 0],
      ]}
    />
    <g>
      <GroundPlate size={[6, 5.4]} at={[-4.4, -4.4]} />
      <ApartmentBuilding at={[-3.6, -3.6, 0]} floors={4} />
      <Tree at={[1.2, -3.8, 0]} size={0.8} />
    </g>
    <g>
      <GroundPlate size={[6, 5.6]} at={[-4.4, 3.2]} />
      <FactoryBuilding at={[-3.8, 3.9, 0]} />
      <Meter at={[1, 6, 0]} />
    </g>
    <g>
      <GroundPlate size={[6, 5.6]} at={[3.4, -4.4]} />
      <School at={[3.9, -3.8, 0]} />
      <Meter at={[6, 0.5, 0]} />
    </g>
    <g>
      <GroundPlate size={[6, 5.6]} at={[3.4, 3.2]} />
      <Tree at={[8.4, 4.2, 0]} />
      <SmallHouse at={[4.4, 4.2, 0]} />
      <Meter at={[5.6, 6.8, 0]} />
      <Tree at={[4.2, 8, 0]} size={0.8} />
    </g>
  </Drawing>
)
