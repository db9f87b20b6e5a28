import { Home, Pole, Works } from '../../ui/drawing/buildings.tsx'
import { type Point, project } from '../../ui/drawing/iso.ts'
import { tone } from '../../ui/drawing/palette.ts'
import { Box, Drawing, Flow, leftWall, Meter, Patch, Plate, Tree, within } from '../../ui/drawing/solids.tsx'

/** A battery: consumer when it fills, producer when it empties. */
function Battery({ at }: { at: Point }) {
  const body = { at, size: [1.6, 1.2, 2] } as const
  return (
    <>
      <Box {...body} left={tone.light} />
      <Box at={[at[0] + 0.5, at[1] + 0.35, at[2] + 2]} size={[0.6, 0.5, 0.22]} left={tone.roof} right={tone.roof} />
      {[0.12, 0.36, 0.6].map((t, index) => (
        <Patch
          key={t}
          plane={within(leftWall(body), 0.18, t, 0.64, 0.18)}
          part={[0, 0, 1, 1]}
          fill={index < 2 ? tone.surplus : tone.leaf}
        />
      ))}
    </>
  )
}

/** Where the piece that is still in the air will go. */
const Drop = ({ from, to }: { from: Point; to: Point }) => {
  const [[x1, y1], [x2, y2]] = [project(from), project(to)]
  return <path d={`M${x1} ${y1}L${x2} ${y2}`} fill="none" strokeDasharray="3 5" strokeOpacity={0.6} />
}

const SIDE = 5
const LIFT = 3.2
const slot = { x: 5.4, y: 5.4 }
const corners: [number, number][] = [
  [0, SIDE],
  [SIDE, SIDE],
  [SIDE, 0],
]

/** Pieces that fit together; the last one is made to measure. */
export const Assembly = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-236 -92 472 366"
    className={className}
    label="Trois pièces assemblées portent un atelier, une maison et le réseau&nbsp;; une quatrième, avec une batterie, descend à sa place."
  >
    <Plate size={[SIDE, SIDE]} />
    <Plate size={[SIDE, SIDE]} at={[slot.x, 0]} />
    <Plate size={[SIDE, SIDE]} at={[0, slot.y]} />
    <g strokeDasharray="4 5">
      <Box at={[slot.x, slot.y, -0.35]} size={[SIDE, SIDE, 0.02]} top={tone.cream} left="none" right="none" />
    </g>
    <Flow
      points={[
        [3, 4.4, 0],
        [7.4, 4.4, 0],
        [7.4, 3.6, 0],
      ]}
    />
    <Flow
      points={[
        [4.4, 4.4, 0],
        [4.4, 8.4, 0],
        [3.2, 8.4, 0],
      ]}
    />
    <Pole at={[1.4, 1.4, 0]} height={4.4} />
    <Tree at={[3.4, 1.6, 0]} size={0.9} />
    <Meter at={[2.8, 4.2, 0]} />
    <Home at={[6.6, 0.8, 0]} panels={4} />
    <Meter at={[7.2, 3.4, 0]} />
    <g transform="translate(8 6) scale(0.86)">
      <Works at={[-0.6, slot.y + 1.2, 0]} teeth={2} />
    </g>
    {corners.map(([dx, dy]) => (
      <Drop key={`${dx} ${dy}`} from={[slot.x + dx, slot.y + dy, LIFT - 0.35]} to={[slot.x + dx, slot.y + dy, -0.35]} />
    ))}
    <Plate size={[SIDE, SIDE]} at={[slot.x, slot.y]} z={LIFT} />
    <Battery at={[slot.x + 0.9, slot.y + 1.4, LIFT]} />
    <Battery at={[slot.x + 2.9, slot.y + 1.4, LIFT]} />
    <Flow
      points={[
        [slot.x + 0.4, slot.y + 4, LIFT],
        [slot.x + 4.6, slot.y + 4, LIFT],
      ]}
    />
  </Drawing>
)
