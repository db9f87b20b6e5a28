import { drawingColours, type IsoPlane, type IsoPoint, toPolyline } from './iso.ts'
import {
  Box,
  getFlatRoof,
  getLeftWall,
  getRightWall,
  getRoofSlope,
  House,
  LitWindows,
  PlanePatch,
  SolarPanels,
  toSubPlane,
  WindowTiles,
  Workshop,
} from './solids.tsx'

type BuildingPosition = { at: IsoPoint }
type WindowGridProps = { plane: IsoPlane; cols: number; rows: number; gap?: number; lit?: readonly number[] }

const WindowGrid = ({ lit = [], ...grid }: WindowGridProps) => (
  <>
    <WindowTiles {...grid} />
    {lit.length > 0 && <LitWindows {...grid} cells={lit} />}
  </>
)

/** Floors are 1.2 units high, above a hall. */
export function ApartmentBuilding({ at, floors = 5 }: BuildingPosition & { floors?: number }) {
  const body = { at, size: [4.4, 3.8, 0.7 + floors * 1.15] } as const
  const roof = getFlatRoof(body)
  const sill = 0.95 / body.size[2]
  return (
    <>
      <Box {...body} />
      <WindowGrid
        plane={toSubPlane(getLeftWall(body), 0.06, sill, 0.88, 0.97 - sill)}
        cols={5}
        rows={floors}
        lit={[1, 7, 8, 14, 15, 20, 23].filter((cell) => cell < 5 * floors)}
      />
      <WindowGrid
        plane={toSubPlane(getRightWall(body), 0.08, sill, 0.84, 0.97 - sill)}
        cols={4}
        rows={floors}
        lit={[2, 4, 9, 11, 14, 17].filter((cell) => cell < 4 * floors)}
      />
      <PlanePatch plane={getLeftWall(body)} part={[0.42, 0, 0.58, sill * 0.85]} fill={drawingColours.panel} />
      <PlanePatch plane={roof} part={[0.05, 0.06, 0.95, 0.94]} fill={drawingColours.mid} />
      <SolarPanels plane={toSubPlane(roof, 0.11, 0.13, 0.54, 0.74)} cols={3} rows={3} />
      <Box at={[at[0] + 3.1, at[1] + 0.9, at[2] + body.size[2]]} size={[0.8, 1.3, 0.6]} />
    </>
  )
}

export function School({ at }: BuildingPosition) {
  const body = { at, size: [4.8, 4.4, 2] } as const
  return (
    <>
      <House {...body} rise={1.6} roof={drawingColours.light} />
      <SolarPanels plane={toSubPlane(getRoofSlope(body, 1.6), 0.04, 0.1, 0.92, 0.82)} cols={7} rows={3} />
      <WindowGrid
        plane={toSubPlane(getLeftWall(body), 0.3, 0.3, 0.66, 0.42)}
        cols={5}
        rows={1}
        gap={0.3}
        lit={[1, 3]}
      />
      <PlanePatch plane={getLeftWall(body)} part={[0.1, 0, 0.22, 0.62]} fill={drawingColours.panel} />
      <WindowGrid plane={toSubPlane(getRightWall(body), 0.1, 0.3, 0.8, 0.42)} cols={4} rows={1} gap={0.3} lit={[1]} />
    </>
  )
}

export function FactoryBuilding({ at, teeth = 3 }: BuildingPosition & { teeth?: number }) {
  const body = { at, size: [1.6 * teeth, 4, 2] } as const
  return (
    <>
      <Workshop {...body} rise={1.1} teeth={teeth} />
      <PlanePatch plane={getLeftWall(body)} part={[0.1, 0, 0.1 + 0.84 / teeth, 0.72]} fill={drawingColours.glass} />
      <WindowGrid
        plane={toSubPlane(getLeftWall(body), 0.18 + 0.84 / teeth, 0.34, 0.76 - 0.84 / teeth, 0.4)}
        cols={3}
        rows={1}
        gap={0.3}
        lit={[0, 1]}
      />
      <WindowGrid
        plane={toSubPlane(getRightWall(body), 0.1, 0.34, 0.8, 0.4)}
        cols={4}
        rows={1}
        gap={0.3}
        lit={[0, 2]}
      />
    </>
  )
}

export function SmallHouse({
  at,
  panels = 0,
  lit = [1],
}: BuildingPosition & { panels?: number; lit?: readonly number[] }) {
  const body = { at, size: [2.4, 2.2, 1.6] } as const
  return (
    <>
      <House {...body} rise={1.2} />
      {panels > 0 && (
        <SolarPanels plane={toSubPlane(getRoofSlope(body, 1.2), 0.1, 0.18, 0.8, 0.64)} cols={panels} rows={2} />
      )}
      <WindowGrid plane={toSubPlane(getLeftWall(body), 0.08, 0.34, 0.55, 0.42)} cols={2} rows={1} gap={0.4} lit={lit} />
      <PlanePatch plane={getLeftWall(body)} part={[0.7, 0, 0.9, 0.72]} fill={drawingColours.panel} />
      <WindowGrid plane={toSubPlane(getRightWall(body), 0.22, 0.34, 0.56, 0.42)} cols={2} rows={1} gap={0.4} />
    </>
  )
}

/** Where the surplus leaves for the public network. */
export const UtilityPole = ({ at: [x, y, z], height = 5 }: BuildingPosition & { height?: number }) => (
  <g fill="none" strokeWidth={1.6}>
    <path
      d={toPolyline([
        [x, y, z],
        [x, y, z + height],
      ])}
    />
    <path
      d={toPolyline([
        [x - 0.9, y, z + height - 0.4],
        [x + 0.9, y, z + height - 0.4],
      ])}
    />
    <path
      d={toPolyline([
        [x - 0.6, y, z + height - 1.1],
        [x + 0.6, y, z + height - 1.1],
      ])}
    />
  </g>
)
