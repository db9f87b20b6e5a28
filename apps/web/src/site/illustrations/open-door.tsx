import { drawingColours, projectPoint, toPolygon } from '../../components/drawing/iso.ts'
import {
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
  WindowTiles,
} from '../../components/drawing/solids.tsx'

const LightPatch = () => (
  <path
    d={toPolygon([
      [5.2, 5.4, 0],
      [6.8, 5.4, 0],
      [8.6, 9.4, 0],
      [5.4, 9.4, 0],
    ])}
    fill={drawingColours.glow}
    stroke="none"
  />
)

/** A ladder against the roof: somebody is at work. */
function Ladder() {
  const [foot, head] = [projectPoint([2, 7.2, 0]), projectPoint([2, 5.2, 3.6])]
  const wide = 15
  const rungs = [0.15, 0.32, 0.49, 0.66, 0.83]
  return (
    <g fill="none" strokeWidth={2.2}>
      <path
        d={`M${foot.join(' ')}L${head.join(' ')}M${foot[0] + wide} ${foot[1] + 8}L${head[0] + wide} ${head[1] + 8}`}
      />
      {rungs.map((t) => {
        const [x, y] = [foot[0] + (head[0] - foot[0]) * t, foot[1] + (head[1] - foot[1]) * t]
        return <path key={t} d={`M${x} ${y}l${wide} 8`} strokeWidth={1.8} />
      })}
    </g>
  )
}

/** A workshop with its door open: come in. */
export function WorkshopScene({ className }: { className?: string }) {
  const house = { at: [1, 1.4, 0], size: [8, 4, 3] } as const
  const door = toSubPlane(getLeftWall(house), 0.52, 0, 0.2, 0.76)
  return (
    <Drawing
      viewBox="-222 -122 474 424"
      className={className}
      label="Un atelier solaire dont la porte est ouverte et éclairée&nbsp;; une échelle est posée contre le toit, à demi couvert de panneaux."
    >
      <GroundPlate size={[11.4, 10.4]} />
      <Tree at={[10.4, 1.6, 0]} />
      <House {...house} rise={2} />
      <SolarPanels plane={toSubPlane(getRoofSlope(house, 2), 0.3, 0.1, 0.66, 0.8)} cols={7} rows={3} />
      <WindowTiles plane={toSubPlane(getLeftWall(house), 0.08, 0.34, 0.36, 0.36)} cols={3} rows={1} gap={0.3} />
      <WindowTiles
        plane={toSubPlane(getLeftWall(house), 0.78, 0.34, 0.16, 0.36)}
        cols={1}
        rows={1}
        gap={0.2}
        fill={drawingColours.sun}
      />
      <WindowTiles plane={toSubPlane(getRightWall(house), 0.16, 0.34, 0.68, 0.36)} cols={3} rows={1} gap={0.3} />
      <LightPatch />
      <PlanePatch plane={door} part={[0, 0, 1, 1]} fill={drawingColours.sun} />
      <path
        d={toPolygon([
          [6.76, 5.4, 0],
          [7.5, 6.5, 0],
          [7.5, 6.5, 2.28],
          [6.76, 5.4, 2.28],
        ])}
        fill={drawingColours.panel}
      />
      <Ladder />
      <EnergyCable
        points={[
          [9.4, 5, 0],
          [10.4, 5, 0],
          [10.4, 9.6, 0],
        ]}
      />
      <Meter at={[9.1, 4.6, 0]} />
      <Tree at={[3.6, 8.8, 0]} size={0.8} />
      <Tree at={[9, 9.2, 0]} size={0.9} />
    </Drawing>
  )
}
