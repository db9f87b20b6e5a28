import { FactoryBuilding, SmallHouse, UtilityPole } from '../../components/drawing/buildings.tsx'
import { drawingColours, type IsoPoint, projectPoint } from '../../components/drawing/iso.ts'
import {
  Box,
  Drawing,
  EnergyCable,
  GroundPlate,
  getLeftWall,
  Meter,
  PlanePatch,
  Tree,
  toSubPlane,
} from '../../components/drawing/solids.tsx'

/** A battery: consumer when it fills, producer when it empties. */
function Battery({ at }: { at: IsoPoint }) {
  const body = { at, size: [1.6, 1.2, 2] } as const
  return (
    <>
      <Box {...body} left={drawingColours.light} />
      <Box
        at={[at[0] + 0.5, at[1] + 0.35, at[2] + 2]}
        size={[0.6, 0.5, 0.22]}
        left={drawingColours.roof}
        right={drawingColours.roof}
      />
      {[0.12, 0.36, 0.6].map((t, index) => (
        <PlanePatch
          key={t}
          plane={toSubPlane(getLeftWall(body), 0.18, t, 0.64, 0.18)}
          part={[0, 0, 1, 1]}
          fill={index < 2 ? drawingColours.surplus : drawingColours.leaf}
        />
      ))}
    </>
  )
}

/** Where the piece that is still in the air will go. */
const DropLine = ({ from, to }: { from: IsoPoint; to: IsoPoint }) => {
  const [[x1, y1], [x2, y2]] = [projectPoint(from), projectPoint(to)]
  return <path d={`M${x1} ${y1}L${x2} ${y2}`} fill="none" strokeDasharray="3 5" strokeOpacity={0.6} />
}

const SIDE = 5
const LIFT = 3.2
const slotPosition = { x: 5.4, y: 5.4 }
const corners: [number, number][] = [
  [0, SIDE],
  [SIDE, SIDE],
  [SIDE, 0],
]

/** Pieces that fit together; the last one is made to measure. */
export const AssemblyScene = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-236 -92 472 366"
    className={className}
    label="Trois pièces assemblées portent un atelier, une maison et le réseau&nbsp;; une quatrième, avec une batterie, descend à sa place."
  >
    <GroundPlate size={[SIDE, SIDE]} />
    <GroundPlate size={[SIDE, SIDE]} at={[slotPosition.x, 0]} />
    <GroundPlate size={[SIDE, SIDE]} at={[0, slotPosition.y]} />
    <g strokeDasharray="4 5">
      <Box
        at={[slotPosition.x, slotPosition.y, -0.35]}
        size={[SIDE, SIDE, 0.02]}
        top={drawingColours.cream}
        left="none"
        right="none"
      />
    </g>
    <EnergyCable
      points={[
        [3, 4.4, 0],
        [7.4, 4.4, 0],
        [7.4, 3.6, 0],
      ]}
    />
    <EnergyCable
      points={[
        [4.4, 4.4, 0],
        [4.4, 8.4, 0],
        [3.2, 8.4, 0],
      ]}
    />
    <UtilityPole at={[1.4, 1.4, 0]} height={4.4} />
    <Tree at={[3.4, 1.6, 0]} size={0.9} />
    <Meter at={[2.8, 4.2, 0]} />
    <SmallHouse at={[6.6, 0.8, 0]} panels={4} />
    <Meter at={[7.2, 3.4, 0]} />
    <g transform="translate(8 6) scale(0.86)">
      <FactoryBuilding at={[-0.6, slotPosition.y + 1.2, 0]} teeth={2} />
    </g>
    {corners.map(([dx, dy]) => (
      <DropLine
        key={`${dx} ${dy}`}
        from={[slotPosition.x + dx, slotPosition.y + dy, LIFT - 0.35]}
        to={[slotPosition.x + dx, slotPosition.y + dy, -0.35]}
      />
    ))}
    <GroundPlate size={[SIDE, SIDE]} at={[slotPosition.x, slotPosition.y]} z={LIFT} />
    <Battery at={[slotPosition.x + 0.9, slotPosition.y + 1.4, LIFT]} />
    <Battery at={[slotPosition.x + 2.9, slotPosition.y + 1.4, LIFT]} />
    <EnergyCable
      points={[
        [slotPosition.x + 0.4, slotPosition.y + 4, LIFT],
        [slotPosition.x + 4.6, slotPosition.y + 4, LIFT],
      ]}
    />
  </Drawing>
)
