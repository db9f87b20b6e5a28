import { SmallHouse } from '../../components/drawing/buildings.tsx'
import { drawingColours, type IsoPlane, type IsoPoint, toPolyline } from '../../components/drawing/iso.ts'
import {
  Box,
  Drawing,
  EnergyCable,
  GroundPlate,
  getLeftWall,
  Meter,
  PlanePatch,
  toSubPlane,
} from '../../components/drawing/solids.tsx'

const barHeights = [1, 1.8, 2.9, 2.3, 1.2]

/** What was measured, as columns. */
const MeasureBars = ({ at: [x, y] }: { at: readonly [number, number] }) =>
  barHeights.map((height, index) => (
    <Box
      key={height}
      at={[x + 0.5 + index * 0.9, y + 1.6, 0]}
      size={[0.6, 1.2, height]}
      top={drawingColours.glow}
      left="#d98807"
      right={drawingColours.sun}
    />
  ))

/** A cake of three parts: who gets what. */
const ShareCake = ({ at: [x, y] }: { at: readonly [number, number] }) => {
  const layers = [
    { z: 0, height: 0.9, left: drawingColours.panel, right: '#2a4ca8', top: drawingColours.panelLine },
    { z: 0.9, height: 0.6, left: drawingColours.roof, right: '#7b93bf', top: drawingColours.glass },
    { z: 1.5, height: 0.5, left: drawingColours.glass, right: '#cfdbeb', top: drawingColours.light },
    { z: 2, height: 0.25, left: drawingColours.surplus, right: '#35c9b9', top: drawingColours.leaf },
  ]
  return layers.map(({ z, height, ...walls }) => (
    <Box key={z} at={[x + 1.4, y + 1.2, z]} size={[2.2, 2.2, height]} {...walls} />
  ))
}

function ScreenDrawing({ at: [x, y] }: { at: readonly [number, number] }) {
  const body = { at: [x + 0.8, y + 2.4, 0.4], size: [3.6, 0.3, 2.6] } as const
  const face = getLeftWall(body)
  const line: IsoPoint[] = [
    [x + 1.3, y + 2.7, 1.1],
    [x + 2, y + 2.7, 1.5],
    [x + 2.7, y + 2.7, 2.2],
    [x + 3.3, y + 2.7, 1.9],
    [x + 3.9, y + 2.7, 1.2],
  ]
  return (
    <>
      <Box at={[x + 2.2, y + 2.4, 0]} size={[0.8, 0.5, 0.4]} />
      <Box {...body} left={drawingColours.light} />
      <PlanePatch plane={toSubPlane(face, 0.07, 0.1, 0.86, 0.8)} part={[0, 0, 1, 1]} fill={drawingColours.cream} />
      <path d={toPolyline(line)} fill="none" stroke={drawingColours.sun} strokeWidth={3} />
    </>
  )
}

const PaperSheet = ({ at: [x, y] }: { at: readonly [number, number] }) => {
  const plane: IsoPlane = { origin: [x + 3.6, y + 4, 0.05], u: [1.2, 0, 0], v: [0, -1.8, 0] }
  return <PlanePatch plane={plane} part={[0, 0, 1, 1]} fill={drawingColours.light} />
}

const [NEAR, FAR] = [0, 6.4]
const HUB: IsoPoint = [5.7, 5.7, 0]

/** Four modules on four plates, joined by the same energy. */
export const FourModules = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-250 -78 500 376"
    className={className}
    label="Quatre plateaux reliés par un même flux&nbsp;: les mesures, la répartition, l’étude d’un toit, l’écran d’un participant."
  >
    <GroundPlate size={[11.4, 11.4]} z={-0.35} />
    {[
      [NEAR, NEAR],
      [FAR, NEAR],
      [NEAR, FAR],
      [FAR, FAR],
    ].map(([x = 0, y = 0]) => (
      <Box key={`${x} ${y}`} at={[x, y, -0.35]} size={[5, 5, 0.35]} top={drawingColours.light} />
    ))}
    <EnergyCable points={[[2.5, 5.7, -0.35], HUB, [8.9, 5.7, -0.35]]} />
    <EnergyCable points={[[5.7, 2.5, -0.35], HUB, [5.7, 8.9, -0.35]]} />
    <MeasureBars at={[NEAR, NEAR]} />
    <ShareCake at={[FAR, NEAR]} />
    <SmallHouse at={[NEAR + 1.2, FAR + 1, 0]} panels={4} />
    <Meter at={[NEAR + 4.2, FAR + 3.4, 0]} />
    <PaperSheet at={[FAR, FAR]} />
    <ScreenDrawing at={[FAR, FAR]} />
  </Drawing>
)
