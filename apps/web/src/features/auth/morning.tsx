import { ApartmentBuilding, School, SmallHouse } from '../../ui/drawing/buildings.tsx'
import { drawingColours } from '../../ui/drawing/palette.ts'
import { Drawing, EnergyCable, GroundPlate, Meter, Tree } from '../../ui/drawing/solids.tsx'

const Sun = () => (
  <g stroke="none">
    <circle cx={250} cy={-120} r={64} fill={drawingColours.glow} />
    <circle cx={250} cy={-120} r={38} fill={drawingColours.sun} />
  </g>
)

/** A street in the morning: the school's roof feeds its neighbours. */
export const StreetIllustration = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-330 -210 700 560"
    className={className}
    label="Une rue au soleil du matin&nbsp;: le toit solaire de l’école alimente l’immeuble et les maisons voisines."
  >
    <Sun />
    <GroundPlate size={[14, 12]} />
    <EnergyCable
      points={[
        [10.4, 5.4, 0],
        [10.4, 7, 0],
        [6.8, 7, 0],
        [6.8, 4.4, 0],
        [5.8, 4.4, 0],
      ]}
    />
    <EnergyCable
      points={[
        [6.8, 7, 0],
        [4, 7, 0],
        [4, 8.4, 0],
      ]}
    />
    <EnergyCable
      points={[
        [10.4, 7, 0],
        [10.4, 8.6, 0],
      ]}
    />
    <Tree at={[1, 6, 0]} />
    <ApartmentBuilding at={[1, 1, 0]} floors={4} />
    <Meter at={[5.5, 4.2, 0]} />
    <School at={[8.2, 0.8, 0]} />
    <Meter at={[10.2, 5.4, 0]} />
    <Tree at={[13.2, 6.2, 0]} />
    <SmallHouse at={[2.2, 8.6, 0]} panels={4} />
    <Meter at={[3.8, 8.2, 0]} />
    <Tree at={[6.2, 9.4, 0]} size={0.9} />
    <SmallHouse at={[8.6, 8.8, 0]} />
    <Meter at={[10.2, 8.4, 0]} />
    <Tree at={[12.6, 9.6, 0]} size={0.8} />
  </Drawing>
)
