import {
  drawingColours,
  INK,
  type IsoPlane,
  type IsoPoint,
  projectPoint,
  toPatchPath,
  toPolygon,
  toPolyline,
  toTilePath,
} from './iso.ts'

type WallColours = { top?: string; left?: string; right?: string }
type SolidBody = { at: IsoPoint; size: IsoPoint }

const Face = ({ points, fill }: { points: readonly IsoPoint[]; fill: string }) => (
  <path d={toPolygon(points)} fill={fill} />
)

export function Box({
  at: [x, y, z],
  size: [w, d, h],
  top = drawingColours.light,
  left = drawingColours.shade,
  right = drawingColours.mid,
}: SolidBody & WallColours) {
  const up = z + h
  return (
    <>
      <Face
        fill={left}
        points={[
          [x, y + d, z],
          [x + w, y + d, z],
          [x + w, y + d, up],
          [x, y + d, up],
        ]}
      />
      <Face
        fill={right}
        points={[
          [x + w, y + d, z],
          [x + w, y, z],
          [x + w, y, up],
          [x + w, y + d, up],
        ]}
      />
      <Face
        fill={top}
        points={[
          [x, y, up],
          [x + w, y, up],
          [x + w, y + d, up],
          [x, y + d, up],
        ]}
      />
    </>
  )
}

/** The ground a drawing stands on. */
export const GroundPlate = ({
  size: [w, d],
  at: [x, y] = [0, 0],
  z = 0,
}: {
  size: readonly [number, number]
  at?: readonly [number, number]
  z?: number
}) => <Box at={[x, y, z - 0.35]} size={[w, d, 0.35]} top={drawingColours.ground} />

/** The two walls that are seen, as planes: `u` along the wall, `v` upwards. */
export const getLeftWall = ({ at: [x, y, z], size: [w, d, h] }: SolidBody): IsoPlane => ({
  origin: [x, y + d, z],
  u: [w, 0, 0],
  v: [0, 0, h],
})
export const getRightWall = ({ at: [x, y, z], size: [w, d, h] }: SolidBody): IsoPlane => ({
  origin: [x + w, y + d, z],
  u: [0, -d, 0],
  v: [0, 0, h],
})
export const getFlatRoof = ({ at: [x, y, z], size: [w, d, h] }: SolidBody): IsoPlane => ({
  origin: [x, y + d, z + h],
  u: [w, 0, 0],
  v: [0, -d, 0],
})

/** A part of a plane as a plane of its own. */
export const toSubPlane = (
  { origin, u, v }: IsoPlane,
  s: number,
  t: number,
  width: number,
  height: number,
): IsoPlane => ({
  origin: [origin[0] + u[0] * s + v[0] * t, origin[1] + u[1] * s + v[1] * t, origin[2] + u[2] * s + v[2] * t],
  u: [u[0] * width, u[1] * width, u[2] * width],
  v: [v[0] * height, v[1] * height, v[2] * height],
})

type Grid = { plane: IsoPlane; cols: number; rows: number; gap?: number; fill?: string }
export const WindowTiles = ({ plane, cols, rows, gap = 0.5, fill = drawingColours.glass }: Grid) => (
  <path d={toTilePath(plane, cols, rows, gap)} fill={fill} strokeWidth={0.9} />
)
/** The windows lit by the sun's energy, numbered from the bottom left. */
export const LitWindows = ({ plane, cols, rows, gap = 0.5, cells }: Grid & { cells: readonly number[] }) => (
  <path d={toTilePath(plane, cols, rows, gap, cells)} fill={drawingColours.sun} strokeWidth={0.9} />
)
export const SolarPanels = ({ plane, cols, rows }: Grid) => (
  <path
    d={toTilePath(plane, cols, rows, 0.1)}
    fill={drawingColours.panel}
    stroke={drawingColours.panelLine}
    strokeWidth={0.7}
  />
)
export const PlanePatch = ({
  plane,
  part,
  fill,
}: {
  plane: IsoPlane
  part: readonly [number, number, number, number]
  fill: string
}) => <path d={toPatchPath(plane, part)} fill={fill} />

/** A house: its ridge runs along x, so that one slope and one gable are seen. Returns the slope for panels to lie on. */
export const getRoofSlope = ({ at: [x, y, z], size: [w, d, h] }: SolidBody, rise: number, eaves = 0.2): IsoPlane => ({
  origin: [x - eaves, y + d + eaves, z + h - (eaves * rise) / (d / 2)],
  u: [w + 2 * eaves, 0, 0],
  v: [0, -(d / 2 + eaves), rise + (eaves * rise) / (d / 2)],
})

export function House({ at, size, rise, roof = drawingColours.roof }: SolidBody & { rise: number; roof?: string }) {
  const [[x, y, z], [w, d, h]] = [at, size]
  const ridge = z + h + rise
  const slope = getRoofSlope({ at, size }, rise)
  const eaves = 0.2
  const low = z + h - (eaves * rise) / (d / 2)
  return (
    <>
      <Box at={at} size={size} />
      <Face
        fill={drawingColours.mid}
        points={[
          [x + w, y + d, z + h],
          [x + w, y, z + h],
          [x + w, y + d / 2, ridge],
        ]}
      />
      <Face
        fill={drawingColours.light}
        points={[
          [x - eaves, y - eaves, low],
          [x + w + eaves, y - eaves, low],
          [x + w + eaves, y + d / 2, ridge],
          [x - eaves, y + d / 2, ridge],
        ]}
      />
      <PlanePatch plane={slope} part={[0, 0, 1, 1]} fill={roof} />
    </>
  )
}

/** A workshop: each tooth of its roof slopes towards the viewer and may carry panels. */
export function Workshop({ at: [x, y, z], size: [w, d, h], rise, teeth }: SolidBody & { rise: number; teeth: number }) {
  const step = w / teeth
  const profile = Array.from({ length: teeth }, (_, i): IsoPoint[] => [
    [x + i * step, y + d, z + h + rise],
    [x + (i + 1) * step, y + d, z + h],
  ])
  return (
    <>
      {profile.map((_, i) => {
        const [from, to] = [x + i * step, x + (i + 1) * step]
        const plane: IsoPlane = { origin: [to, y + d, z + h], u: [0, -d, 0], v: [-step, 0, rise] }
        return (
          <g key={from}>
            <Face
              fill={drawingColours.light}
              points={[
                [from, y + d, z + h + rise],
                [to, y + d, z + h],
                [to, y, z + h],
                [from, y, z + h + rise],
              ]}
            />
            <SolarPanels plane={toSubPlane(plane, 0.08, 0.14, 0.84, 0.7)} cols={5} rows={1} />
          </g>
        )
      })}
      <Face
        fill={drawingColours.shade}
        points={[[x, y + d, z], [x + w, y + d, z], [x + w, y + d, z + h], ...profile.flat().reverse()]}
      />
      <PlanePatch
        plane={getRightWall({ at: [x, y, z], size: [w, d, h] })}
        part={[0, 0, 1, 1]}
        fill={drawingColours.mid}
      />
    </>
  )
}

export function Tree({ at, size = 1 }: { at: IsoPoint; size?: number }) {
  const [cx, cy] = projectPoint(at)
  const r = 11 * size
  return (
    <>
      <path d={`M${cx} ${cy}v${-r * 1.6}`} fill="none" />
      <ellipse cx={cx} cy={cy - r * 2.1} rx={r} ry={r * 1.25} fill={drawingColours.leaf} />
    </>
  )
}

/** The little cabinet where energy is counted; its lamp is lit by the sun. */
export function Meter({ at: [x, y, z] }: { at: IsoPoint }) {
  const body: SolidBody = { at: [x, y, z], size: [0.42, 0.3, 0.75] }
  return (
    <>
      <Box {...body} left={drawingColours.light} right={drawingColours.light} />
      <PlanePatch
        plane={toSubPlane(getLeftWall(body), 0.2, 0.5, 0.6, 0.32)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.sun}
      />
      <PlanePatch
        plane={toSubPlane(getRightWall(body), 0.2, 0.5, 0.6, 0.32)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.sun}
      />
    </>
  )
}

type EnergyCable = { points: readonly IsoPoint[]; kind?: 'local' | 'surplus'; when?: 'noon' | 'edges' | 'day' }
/** Energy on its way: a pale cable, and dashes that move along it while the sun shines. */
export const EnergyCable = ({ points, kind = 'local', when = 'day' }: EnergyCable) => (
  <g fill="none" strokeLinecap="round">
    <path
      d={toPolyline(points)}
      stroke={kind === 'local' ? drawingColours.cable : drawingColours.cableSurplus}
      strokeWidth={6}
    />
    <path
      className={`flow flow-${when}`}
      d={toPolyline(points)}
      stroke={kind === 'local' ? drawingColours.sun : drawingColours.surplus}
      strokeWidth={3}
      strokeDasharray="5 9"
    />
  </g>
)

type DrawingProps = { viewBox: string; label: string; className?: string; children: React.ReactNode }
/** One style for every drawing: thin ink lines, flat fills. */
export const Drawing = ({ viewBox, label, className, children }: DrawingProps) => (
  <svg
    viewBox={viewBox}
    role="img"
    aria-label={label}
    className={className}
    stroke={INK}
    strokeWidth={1.2}
    strokeLinejoin="round"
    strokeLinecap="round"
  >
    {children}
  </svg>
)
