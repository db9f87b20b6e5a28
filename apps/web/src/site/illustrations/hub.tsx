import {
  ApartmentBuilding,
  FactoryBuilding,
  School,
  SmallHouse,
  UtilityPole,
} from '../../components/drawing/buildings.tsx'
import { drawingColours, type IsoPoint, toPolyline } from '../../components/drawing/iso.ts'
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

const CENTRE = 7
const spokes: IsoPoint[] = [
  [2.2, 2.2, 0],
  [CENTRE, 1.6, 0],
  [12, 2.4, 0],
  [2, 11.6, 0],
  [CENTRE, 12.4, 0],
  [12.2, CENTRE, 0],
]

/** The book in which everything is written, in the middle. */
function HubCentre() {
  const body = { at: [CENTRE - 1.5, CENTRE - 1.5, 0], size: [3, 3, 1.6] } as const
  return (
    <>
      <Box {...body} left={drawingColours.panel} right="#2a4ca8" top={drawingColours.light} />
      <path
        d={toPolyline([
          [CENTRE - 0.9, CENTRE + 0.5, 1.6],
          [CENTRE - 0.3, CENTRE, 1.6],
          [CENTRE + 0.2, CENTRE - 0.7, 1.6],
          [CENTRE + 0.9, CENTRE - 0.1, 1.6],
        ])}
        fill="none"
        stroke={drawingColours.sun}
        strokeWidth={3.4}
      />
      <PlanePatch
        plane={toSubPlane(getLeftWall(body), 0.14, 0.3, 0.72, 0.16)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.sun}
      />
      <PlanePatch
        plane={toSubPlane(getLeftWall(body), 0.14, 0.58, 0.44, 0.16)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.glass}
      />
    </>
  )
}

/** Those who make an operation live, around the same data. */
export const HubScene = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-304 -124 608 478"
    className={className}
    label="Au centre, un même registre&nbsp;; autour, reliés par des flux&nbsp;: un immeuble, une école, un atelier, une maison et le réseau."
  >
    <GroundPlate size={[14, 14]} />
    {spokes.map((end) => (
      <EnergyCable key={end.join()} points={[[CENTRE, CENTRE, 0], end]} kind={end[0] === 12.2 ? 'surplus' : 'local'} />
    ))}
    <ApartmentBuilding at={[0.2, 0.2, 0]} floors={3} />
    <Tree at={[CENTRE, 1.2, 0]} />
    <School at={[9, -0.2, 0]} />
    <HubCentre />
    <UtilityPole at={[12.6, CENTRE, 0]} />
    <FactoryBuilding at={[0, 9.4, 0]} teeth={2} />
    <Meter at={[CENTRE - 0.2, 12.2, 0]} />
    <SmallHouse at={[10.2, 10, 0]} panels={4} />
    <Tree at={[5.4, 13, 0]} size={0.8} />
  </Drawing>
)
