import { School, SmallHouse } from '../../components/drawing/buildings.tsx'
import { drawingColours, type IsoPoint, projectPoint, toPolyline } from '../../components/drawing/iso.ts'
import { Box, Drawing, Meter, Tree } from '../../components/drawing/solids.tsx'

const CENTRE: IsoPoint = [6, 6, 0]
const rings = [
  { radius: 9.2, label: '20 km, rural', fill: '#fbfcfe' },
  { radius: 6.9, label: '10 km, périurbain', fill: '#f4f7fb' },
  { radius: 4.4, label: '2 km', fill: '#fff6e3' },
]

/** A circle on the ground: two fifths flatter than wide. */
function Ring({ radius, label, fill }: (typeof rings)[number]) {
  const [cx, cy] = projectPoint(CENTRE)
  const [rx, ry] = [radius * 29.4, radius * 17]
  return (
    <>
      <ellipse
        cx={cx}
        cy={cy}
        rx={rx}
        ry={ry}
        fill={fill}
        stroke={drawingColours.sun}
        strokeWidth={2}
        strokeDasharray="2 7"
      />
      <text
        x={cx}
        y={cy + ry - 9}
        textAnchor="middle"
        fontSize={14}
        fontWeight={550}
        fill={drawingColours.text}
        stroke="none"
        className="max-sm:hidden"
      >
        {label}
      </text>
    </>
  )
}

/** The two participants that lie farthest from one another decide. */
const FarthestLine = ({ from, to }: { from: IsoPoint; to: IsoPoint }) => (
  <>
    <path d={toPolyline([from, to])} fill="none" stroke={drawingColours.sun} strokeWidth={3} />
    {[from, to].map((end) => {
      const [x, y] = projectPoint(end)
      return (
        <circle key={x} cx={x} cy={y} r={5} fill={drawingColours.light} stroke={drawingColours.sun} strokeWidth={3} />
      )
    })}
  </>
)

/** The books of the rule. */
const RuleBooks = ({ at: [x, y, z] }: { at: IsoPoint }) => (
  <>
    <Box
      at={[x, y, z]}
      size={[2.2, 1.6, 0.5]}
      left={drawingColours.panel}
      right={drawingColours.light}
      top={drawingColours.panelLine}
    />
    <Box
      at={[x + 0.15, y + 0.1, z + 0.5]}
      size={[2, 1.5, 0.4]}
      left={drawingColours.roof}
      right={drawingColours.light}
      top={drawingColours.glass}
    />
    <Box
      at={[x + 0.3, y, z + 0.9]}
      size={[1.8, 1.4, 0.35]}
      left={drawingColours.sun}
      right={drawingColours.light}
      top={drawingColours.glow}
    />
  </>
)

export const PerimeterRings = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-286 -40 572 352"
    className={className}
    label="Trois cercles autour d’une opération&nbsp;: 2 km en règle générale, 10 km en zone périurbaine, 20 km en zone rurale&nbsp;; une ligne joint les deux participants les plus éloignés."
  >
    {rings.map((ring) => (
      <Ring key={ring.label} {...ring} />
    ))}
    <FarthestLine from={[3, 7.2, 0]} to={[9, 4.4, 0]} />
    <g transform="translate(0 62) scale(0.56)">
      <School at={[5.4, 2.2, 0]} />
      <SmallHouse at={[3, 8.2, 0]} />
      <Meter at={[8.2, 7, 0]} />
    </g>
    <Tree at={[2, 4, 0]} size={0.8} />
    <Tree at={[10.6, 6.8, 0]} size={0.7} />
    <RuleBooks at={[0.6, -0.6, 0]} />
    <Tree at={[-0.6, 8.2, 0]} size={0.7} />
    <Tree at={[12.8, 3.4, 0]} size={0.7} />
  </Drawing>
)
