import { Flats, Home, Pole, School, Works } from '../../ui/drawing/buildings.tsx'
import { type Point, polyline } from '../../ui/drawing/iso.ts'
import { tone } from '../../ui/drawing/palette.ts'
import { Box, Drawing, Flow, leftWall, Meter, Patch, Plate, Tree, within } from '../../ui/drawing/solids.tsx'

const C = 7
const spokes: Point[] = [
  [2.2, 2.2, 0],
  [C, 1.6, 0],
  [12, 2.4, 0],
  [2, 11.6, 0],
  [C, 12.4, 0],
  [12.2, C, 0],
]

/** The book in which everything is written, in the middle. */
function Core() {
  const body = { at: [C - 1.5, C - 1.5, 0], size: [3, 3, 1.6] } as const
  return (
    <>
      <Box {...body} left={tone.panel} right="#2a4ca8" top={tone.light} />
      <path
        d={polyline([
          [C - 0.9, C + 0.5, 1.6],
          [C - 0.3, C, 1.6],
          [C + 0.2, C - 0.7, 1.6],
          [C + 0.9, C - 0.1, 1.6],
        ])}
        fill="none"
        stroke={tone.sun}
        strokeWidth={3.4}
      />
      <Patch plane={within(leftWall(body), 0.14, 0.3, 0.72, 0.16)} part={[0, 0, 1, 1]} fill={tone.sun} />
      <Patch plane={within(leftWall(body), 0.14, 0.58, 0.44, 0.16)} part={[0, 0, 1, 1]} fill={tone.glass} />
    </>
  )
}

/** Those who make an operation live, around the same data. */
export const Hub = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-304 -124 608 478"
    className={className}
    label="Au centre, un même registre&nbsp;; autour, reliés par des flux&nbsp;: un immeuble, une école, un atelier, une maison et le réseau."
  >
    <Plate size={[14, 14]} />
    {spokes.map((end) => (
      <Flow key={end.join()} points={[[C, C, 0], end]} kind={end[0] === 12.2 ? 'surplus' : 'local'} />
    ))}
    <Flats at={[0.2, 0.2, 0]} floors={3} />
    <Tree at={[C, 1.2, 0]} />
    <School at={[9, -0.2, 0]} />
    <Core />
    <Pole at={[12.6, C, 0]} />
    <Works at={[0, 9.4, 0]} teeth={2} />
    <Meter at={[C - 0.2, 12.2, 0]} />
    <Home at={[10.2, 10, 0]} panels={4} />
    <Tree at={[5.4, 13, 0]} size={0.8} />
  </Drawing>
)
