import { Home } from '../../ui/drawing/buildings.tsx'
import { type Plane, type Point, polyline } from '../../ui/drawing/iso.ts'
import { tone } from '../../ui/drawing/palette.ts'
import { Box, Drawing, Flow, leftWall, Meter, Patch, Plate, within } from '../../ui/drawing/solids.tsx'

const bars = [1, 1.8, 2.9, 2.3, 1.2]

/** What was measured, as columns. */
const Measures = ({ at: [x, y] }: { at: readonly [number, number] }) =>
  bars.map((height, index) => (
    <Box
      key={height}
      at={[x + 0.5 + index * 0.9, y + 1.6, 0]}
      size={[0.6, 1.2, height]}
      top={tone.glow}
      left="#d98807"
      right={tone.sun}
    />
  ))

/** A cake of three parts: who gets what. */
const Shares = ({ at: [x, y] }: { at: readonly [number, number] }) => {
  const layers = [
    { z: 0, height: 0.9, left: tone.panel, right: '#2a4ca8', top: tone.panelLine },
    { z: 0.9, height: 0.6, left: tone.roof, right: '#7b93bf', top: tone.glass },
    { z: 1.5, height: 0.5, left: tone.glass, right: '#cfdbeb', top: tone.light },
    { z: 2, height: 0.25, left: tone.surplus, right: '#35c9b9', top: tone.leaf },
  ]
  return layers.map(({ z, height, ...walls }) => (
    <Box key={z} at={[x + 1.4, y + 1.2, z]} size={[2.2, 2.2, height]} {...walls} />
  ))
}

function Screen({ at: [x, y] }: { at: readonly [number, number] }) {
  const body = { at: [x + 0.8, y + 2.4, 0.4], size: [3.6, 0.3, 2.6] } as const
  const face = leftWall(body)
  const line: Point[] = [
    [x + 1.3, y + 2.7, 1.1],
    [x + 2, y + 2.7, 1.5],
    [x + 2.7, y + 2.7, 2.2],
    [x + 3.3, y + 2.7, 1.9],
    [x + 3.9, y + 2.7, 1.2],
  ]
  return (
    <>
      <Box at={[x + 2.2, y + 2.4, 0]} size={[0.8, 0.5, 0.4]} />
      <Box {...body} left={tone.light} />
      <Patch plane={within(face, 0.07, 0.1, 0.86, 0.8)} part={[0, 0, 1, 1]} fill={tone.cream} />
      <path d={polyline(line)} fill="none" stroke={tone.sun} strokeWidth={3} />
    </>
  )
}

const Sheet = ({ at: [x, y] }: { at: readonly [number, number] }) => {
  const plane: Plane = { origin: [x + 3.6, y + 4, 0.05], u: [1.2, 0, 0], v: [0, -1.8, 0] }
  return <Patch plane={plane} part={[0, 0, 1, 1]} fill={tone.light} />
}

const [NEAR, FAR] = [0, 6.4]
const HUB: Point = [5.7, 5.7, 0]

/** Four modules on four plates, joined by the same energy. */
export const FourModules = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-250 -78 500 376"
    className={className}
    label="Quatre plateaux reliés par un même flux&nbsp;: les mesures, la répartition, l’étude d’un toit, l’écran d’un participant."
  >
    <Plate size={[11.4, 11.4]} z={-0.35} />
    {[
      [NEAR, NEAR],
      [FAR, NEAR],
      [NEAR, FAR],
      [FAR, FAR],
    ].map(([x = 0, y = 0]) => (
      <Box key={`${x} ${y}`} at={[x, y, -0.35]} size={[5, 5, 0.35]} top={tone.light} />
    ))}
    <Flow points={[[2.5, 5.7, -0.35], HUB, [8.9, 5.7, -0.35]]} />
    <Flow points={[[5.7, 2.5, -0.35], HUB, [5.7, 8.9, -0.35]]} />
    <Measures at={[NEAR, NEAR]} />
    <Shares at={[FAR, NEAR]} />
    <Home at={[NEAR + 1.2, FAR + 1, 0]} panels={4} />
    <Meter at={[NEAR + 4.2, FAR + 3.4, 0]} />
    <Sheet at={[FAR, FAR]} />
    <Screen at={[FAR, FAR]} />
  </Drawing>
)
