/** x runs down to the right, y down to the left, z up; one unit is a third of a storey's width. */
export type IsoPoint = readonly [x: number, y: number, z: number]

const UNIT = 24
const COS = Math.sqrt(3) / 2
const roundToTenth = (value: number) => Math.round(value * 10) / 10

export const projectPoint = ([x, y, z]: IsoPoint): [number, number] => [
  roundToTenth((x - y) * COS * UNIT),
  roundToTenth(((x + y) / 2 - z) * UNIT),
]

export const toPolyline = (points: readonly IsoPoint[]) =>
  `M${points.map((point) => projectPoint(point).join(' ')).join('L')}`
export const toPolygon = (points: readonly IsoPoint[]) => `${toPolyline(points)}Z`

const movePoint = (origin: IsoPoint, u: IsoPoint, s: number, v: IsoPoint, t: number): IsoPoint => [
  origin[0] + u[0] * s + v[0] * t,
  origin[1] + u[1] * s + v[1] * t,
  origin[2] + u[2] * s + v[2] * t,
]

export type IsoPlane = { origin: IsoPoint; u: IsoPoint; v: IsoPoint }

/** A piece of a plane, from 0 to 1 on both of its sides. */
export const toPatchPath = ({ origin, u, v }: IsoPlane, [s0, t0, s1, t1]: readonly [number, number, number, number]) =>
  toPolygon([
    movePoint(origin, u, s0, v, t0),
    movePoint(origin, u, s1, v, t0),
    movePoint(origin, u, s1, v, t1),
    movePoint(origin, u, s0, v, t1),
  ])

/** Windows of a wall or panels of a roof: `cols` by `rows` tiles in one path, `gap` being the share left between them. */
export const toTilePath = (plane: IsoPlane, cols: number, rows: number, gap: number, cells?: readonly number[]) =>
  (cells ?? Array.from({ length: cols * rows }, (_, index) => index))
    .map((index) => {
      const [col, row] = [index % cols, Math.floor(index / cols)]
      const half = gap / 2
      return toPatchPath(plane, [
        (col + half) / cols,
        (row + half) / rows,
        (col + 1 - half) / cols,
        (row + 1 - half) / rows,
      ])
    })
    .join('')

/** The view of a scene that stands on a ground of that size at the origin, `rise` units of sky above its far corner. */
export const computeViewBox = ([w, d]: readonly [number, number], rise: number) => {
  const margin = 8
  const [left, right] = [-d * COS * UNIT - margin, w * COS * UNIT + margin]
  const [top, bottom] = [-rise * UNIT - margin, ((w + d) / 2 + 0.35) * UNIT + margin]
  return [left, top, right - left, bottom - top].map(Math.round).join(' ')
}

/** Five colours and their tints: ink, slate, night blue, amber, turquoise. */
export const INK = '#22304a'
export const drawingColours = {
  light: '#ffffff',
  mid: '#edf2f8',
  shade: '#d3deeb',
  ground: '#f4f7fb',
  street: '#e4ebf4',
  glass: '#b9c9de',
  roof: '#5b76a8',
  panel: '#1e3a8a',
  text: '#334155',
  panelLine: '#7f9ad6',
  leaf: '#a7e3da',
  sun: '#f59e0b',
  cream: '#fff6e3',
  glow: '#fdeac8',
  cable: '#fde3b0',
  surplus: '#14b8a6',
  cableSurplus: '#c5efe9',
}
