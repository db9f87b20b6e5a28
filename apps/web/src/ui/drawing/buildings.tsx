import type { Plane, Point } from './iso.ts'
import { polyline } from './iso.ts'
import { tone } from './palette.ts'
import {
  Box,
  flatRoof,
  House,
  Lit,
  leftWall,
  Panels,
  Patch,
  rightWall,
  slopeOf,
  Windows,
  Workshop,
  within,
} from './solids.tsx'

type Place = { at: Point }
type Glazing = { plane: Plane; cols: number; rows: number; gap?: number; lit?: readonly number[] }

const Glazed = ({ lit = [], ...grid }: Glazing) => (
  <>
    <Windows {...grid} />
    {lit.length > 0 && <Lit {...grid} cells={lit} />}
  </>
)

/** Floors are 1.2 units high, above a hall. */
export function Flats({ at, floors = 5 }: Place & { floors?: number }) {
  const body = { at, size: [4.4, 3.8, 0.7 + floors * 1.15] } as const
  const roof = flatRoof(body)
  const sill = 0.95 / body.size[2]
  return (
    <>
      <Box {...body} />
      <Glazed
        plane={within(leftWall(body), 0.06, sill, 0.88, 0.97 - sill)}
        cols={5}
        rows={floors}
        lit={[1, 7, 8, 14, 15, 20, 23].filter((cell) => cell < 5 * floors)}
      />
      <Glazed
        plane={within(rightWall(body), 0.08, sill, 0.84, 0.97 - sill)}
        cols={4}
        rows={floors}
        lit={[2, 4, 9, 11, 14, 17].filter((cell) => cell < 4 * floors)}
      />
      <Patch plane={leftWall(body)} part={[0.42, 0, 0.58, sill * 0.85]} fill={tone.panel} />
      <Patch plane={roof} part={[0.05, 0.06, 0.95, 0.94]} fill={tone.mid} />
      <Panels plane={within(roof, 0.11, 0.13, 0.54, 0.74)} cols={3} rows={3} />
      <Box at={[at[0] + 3.1, at[1] + 0.9, at[2] + body.size[2]]} size={[0.8, 1.3, 0.6]} />
    </>
  )
}

export function School({ at }: Place) {
  const body = { at, size: [4.8, 4.4, 2] } as const
  return (
    <>
      <House {...body} rise={1.6} roof={tone.light} />
      <Panels plane={within(slopeOf(body, 1.6), 0.04, 0.1, 0.92, 0.82)} cols={7} rows={3} />
      <Glazed plane={within(leftWall(body), 0.3, 0.3, 0.66, 0.42)} cols={5} rows={1} gap={0.3} lit={[1, 3]} />
      <Patch plane={leftWall(body)} part={[0.1, 0, 0.22, 0.62]} fill={tone.panel} />
      <Glazed plane={within(rightWall(body), 0.1, 0.3, 0.8, 0.42)} cols={4} rows={1} gap={0.3} lit={[1]} />
    </>
  )
}

export function Works({ at, teeth = 3 }: Place & { teeth?: number }) {
  const body = { at, size: [1.6 * teeth, 4, 2] } as const
  return (
    <>
      <Workshop {...body} rise={1.1} teeth={teeth} />
      <Patch plane={leftWall(body)} part={[0.1, 0, 0.1 + 0.84 / teeth, 0.72]} fill={tone.glass} />
      <Glazed
        plane={within(leftWall(body), 0.18 + 0.84 / teeth, 0.34, 0.76 - 0.84 / teeth, 0.4)}
        cols={3}
        rows={1}
        gap={0.3}
        lit={[0, 1]}
      />
      <Glazed plane={within(rightWall(body), 0.1, 0.34, 0.8, 0.4)} cols={4} rows={1} gap={0.3} lit={[0, 2]} />
    </>
  )
}

export function Home({ at, panels = 0, lit = [1] }: Place & { panels?: number; lit?: readonly number[] }) {
  const body = { at, size: [2.4, 2.2, 1.6] } as const
  return (
    <>
      <House {...body} rise={1.2} />
      {panels > 0 && <Panels plane={within(slopeOf(body, 1.2), 0.1, 0.18, 0.8, 0.64)} cols={panels} rows={2} />}
      <Glazed plane={within(leftWall(body), 0.08, 0.34, 0.55, 0.42)} cols={2} rows={1} gap={0.4} lit={lit} />
      <Patch plane={leftWall(body)} part={[0.7, 0, 0.9, 0.72]} fill={tone.panel} />
      <Glazed plane={within(rightWall(body), 0.22, 0.34, 0.56, 0.42)} cols={2} rows={1} gap={0.4} />
    </>
  )
}

/** Where the surplus leaves for the public network. */
export const Pole = ({ at: [x, y, z], height = 5 }: Place & { height?: number }) => (
  <g fill="none" strokeWidth={1.6}>
    <path
      d={polyline([
        [x, y, z],
        [x, y, z + height],
      ])}
    />
    <path
      d={polyline([
        [x - 0.9, y, z + height - 0.4],
        [x + 0.9, y, z + height - 0.4],
      ])}
    />
    <path
      d={polyline([
        [x - 0.6, y, z + height - 1.1],
        [x + 0.6, y, z + height - 1.1],
      ])}
    />
  </g>
)
