import { drawingColours, type IsoPoint, toPolygon, toPolyline } from '../../components/drawing/iso.ts'
import {
  Box,
  Drawing,
  EnergyCable,
  GroundPlate,
  getFlatRoof,
  getLeftWall,
  Meter,
  PlanePatch,
  SolarPanels,
  Tree,
  toSubPlane,
} from '../../components/drawing/solids.tsx'

/** A shop under its awning. */
function Shop({ at, width, fill }: { at: IsoPoint; width: number; fill: string }) {
  const [x, y, z] = at
  const body = { at, size: [width, 3, 2.4] } as const
  const stripes = Array.from({ length: 6 }, (_, index) => index)
  const edge = y + 3
  const part = width / 6
  return (
    <>
      <Box {...body} />
      <SolarPanels plane={toSubPlane(getFlatRoof(body), 0.1, 0.14, 0.8, 0.72)} cols={4} rows={3} />
      <PlanePatch plane={getLeftWall(body)} part={[0.08, 0.06, 0.6, 0.56]} fill={drawingColours.glass} />
      <PlanePatch plane={getLeftWall(body)} part={[0.68, 0, 0.9, 0.56]} fill={drawingColours.panel} />
      {stripes.map((index) => (
        <path
          key={index}
          d={toPolygon([
            [x + index * part, edge, z + 1.9],
            [x + (index + 1) * part, edge, z + 1.9],
            [x + (index + 1) * part, edge + 0.8, z + 1.45],
            [x + index * part, edge + 0.8, z + 1.45],
          ])}
          fill={index % 2 ? drawingColours.light : fill}
        />
      ))}
    </>
  )
}

/** A roof of panels over parked cars. */
function Canopy({ at: [x, y, z] }: { at: IsoPoint }) {
  const posts: [number, number][] = [
    [0.4, 0.4],
    [5.6, 0.4],
    [0.4, 2.6],
    [5.6, 2.6],
  ]
  return (
    <>
      {posts.map(([dx, dy]) => (
        <path
          key={`${dx} ${dy}`}
          d={toPolyline([
            [x + dx, y + dy, z],
            [x + dx, y + dy, z + 2],
          ])}
          fill="none"
          strokeWidth={2.4}
        />
      ))}
      {[0.8, 3].map((dx) => (
        <g key={dx}>
          <Box
            at={[x + dx, y + 0.7, z]}
            size={[1.5, 1.5, 0.6]}
            left={drawingColours.roof}
            right={drawingColours.glass}
          />
          <Box at={[x + dx + 0.25, y + 0.8, z + 0.6]} size={[0.9, 1.2, 0.4]} left={drawingColours.glass} />
        </g>
      ))}
      <Box at={[x, y, z + 2]} size={[6, 3, 0.16]} />
      <SolarPanels
        plane={{ origin: [x + 0.15, y + 2.85, z + 2.16], u: [5.7, 0, 0], v: [0, -2.7, 0] }}
        cols={7}
        rows={3}
      />
    </>
  )
}

/** Shops and a car park that make their own light. */
export const ShopStreet = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-240 -72 532 404"
    className={className}
    label="Une rue commerçante&nbsp;: deux boutiques au toit solaire et une ombrière de parking, reliées par un même flux d’énergie."
  >
    <GroundPlate size={[13.6, 11.2]} />
    <Tree at={[0.8, 2, 0]} size={0.9} />
    <Shop at={[1.4, 0.8, 0]} width={4.6} fill={drawingColours.sun} />
    <Shop at={[7, 0.8, 0]} width={4.6} fill={drawingColours.surplus} />
    <Tree at={[12.8, 3.4, 0]} size={0.9} />
    <EnergyCable
      points={[
        [5.8, 4.6, 0],
        [5.8, 6, 0],
        [12.2, 6, 0],
        [12.2, 4.8, 0],
      ]}
    />
    <EnergyCable
      points={[
        [7.4, 7.6, 0],
        [7.4, 6, 0],
      ]}
    />
    <Meter at={[5.7, 4.3, 0]} />
    <Meter at={[11.9, 4.4, 0]} />
    <Canopy at={[3.4, 7.4, 0]} />
    <Tree at={[11.6, 9, 0]} />
    <Tree at={[1.6, 8.4, 0]} size={0.8} />
  </Drawing>
)
