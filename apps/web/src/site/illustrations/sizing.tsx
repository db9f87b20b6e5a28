import { drawingColours, type IsoPoint, projectPoint } from '../../components/drawing/iso.ts'
import {
  Box,
  Drawing,
  GroundPlate,
  getFlatRoof,
  getLeftWall,
  getRightWall,
  Meter,
  SolarPanels,
  Tree,
  toSubPlane,
  WindowTiles,
} from '../../components/drawing/solids.tsx'

type Option = { x: number; cols: number; used: number; surplus: number }
const options: Option[] = [
  { x: 0.6, cols: 1, used: 1.9, surplus: 0.15 },
  { x: 5.2, cols: 2, used: 2.6, surplus: 0.9 },
  { x: 9.8, cols: 4, used: 3, surplus: 2.6 },
]

/** The same building with one, two or four rows of panels; in front of it, what is used and what is left. */
function Building({ x, cols, used, surplus }: Option) {
  const body = { at: [x, 1, 0], size: [3.4, 3.2, 3.6] } as const
  const bar: IsoPoint = [x + 1.2, 6.4, 0]
  return (
    <>
      <Box {...body} />
      <WindowTiles plane={toSubPlane(getLeftWall(body), 0.08, 0.14, 0.84, 0.8)} cols={4} rows={3} />
      <WindowTiles plane={toSubPlane(getRightWall(body), 0.1, 0.14, 0.8, 0.8)} cols={3} rows={3} />
      <SolarPanels plane={toSubPlane(getFlatRoof(body), 0.08, 0.1, 0.21 * cols, 0.8)} cols={cols} rows={4} />
      <Meter at={[x + 1.5, 4.9, 0]} />
      <Box at={bar} size={[1.1, 1.1, used * 0.7]} left="#d98807" right={drawingColours.sun} top={drawingColours.glow} />
      <Box
        at={[bar[0], bar[1], used * 0.7]}
        size={[1.1, 1.1, surplus * 0.7]}
        left="#0f9c8d"
        right={drawingColours.surplus}
        top={drawingColours.leaf}
      />
    </>
  )
}

const Label = ({ at, text }: { at: IsoPoint; text: string }) => {
  const [x, y] = projectPoint(at)
  return (
    <text
      x={x}
      y={y}
      textAnchor="middle"
      fontSize={15}
      fontWeight={550}
      fill={drawingColours.text}
      stroke="none"
      className="max-sm:hidden"
    >
      {text}
    </text>
  )
}

export const Sizing = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-200 -76 500 368"
    className={className}
    label="Le même immeuble avec trois puissances solaires&nbsp;: l’énergie utilisée augmente peu, le surplus beaucoup."
  >
    <GroundPlate size={[14, 8.8]} />
    <Tree at={[4.6, 1.6, 0]} size={0.8} />
    <Tree at={[9.2, 1.6, 0]} size={0.8} />
    {options.map((option) => (
      <Building key={option.x} {...option} />
    ))}
    <Label at={[1.9, 8.6, -1.6]} text="18 kWc" />
    <Label at={[6.5, 8.6, -1.6]} text="36 kWc" />
    <Label at={[11.1, 8.6, -1.6]} text="72 kWc" />
  </Drawing>
)
