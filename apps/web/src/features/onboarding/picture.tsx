import { SmallHouse } from '../../ui/drawing/buildings.tsx'
import { computeViewBox } from '../../ui/drawing/iso.ts'
import { Drawing, EnergyCable, GroundPlate, Meter } from '../../ui/drawing/solids.tsx'

/** One roof and the neighbours it could feed. */
export const FirstStepsIllustration = ({ className }: { className?: string }) => (
  <Drawing
    viewBox={computeViewBox([7, 5], 1.6)}
    className={className}
    label="Le toit d’une maison alimente la maison voisine."
  >
    <GroundPlate size={[7, 5]} />
    <EnergyCable
      points={[
        [1.9, 3.6, 0],
        [1.9, 4.3, 0],
        [5.6, 4.3, 0],
        [5.6, 3.4, 0],
      ]}
    />
    <SmallHouse at={[0.5, 0.8, 0]} panels={4} />
    <SmallHouse at={[4, 0.8, 0]} />
    <Meter at={[1.7, 3.3, 0]} />
    <Meter at={[5.3, 3.2, 0]} />
  </Drawing>
)
