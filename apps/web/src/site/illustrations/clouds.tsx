import { School } from '../../components/drawing/buildings.tsx'
import { drawingColours, type IsoPoint } from '../../components/drawing/iso.ts'
import { Box, Drawing, EnergyCable, GroundPlate, Meter, Tree } from '../../components/drawing/solids.tsx'

const Cloud = ({ x, y, size = 1 }: { x: number; y: number; size?: number }) => (
  <path
    transform={`translate(${x} ${y}) scale(${size})`}
    d="M-46 18a20 20 0 0 1 4-39a28 28 0 0 1 52-9a24 24 0 0 1 36 16a17 17 0 0 1 2 32z"
    fill={drawingColours.light}
  />
)

const hourHeights = [0.3, 0.8, 1.4, 2, 2.4, 1.5, 2, 1.7, 1, 0.5, 0.2]
const KNOWN_HOURS = 5

/** The day as it is known until now, then as it is expected. */
const DayLine = () =>
  hourHeights.map((height, index) => {
    const at: IsoPoint = [0.9 + index, 9.4, 0]
    const size: IsoPoint = [0.66, 1, height]
    return index < KNOWN_HOURS ? (
      <Box key={at[0]} at={at} size={size} top={drawingColours.glow} left="#d98807" right={drawingColours.sun} />
    ) : (
      <g key={at[0]} strokeDasharray="2.5 3" stroke="#b45309">
        <Box at={at} size={size} top={drawingColours.light} left={drawingColours.glow} right={drawingColours.cream} />
      </g>
    )
  })

/** A cloud is coming: what will the roof give this afternoon? */
export const CloudsScene = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-244 -178 500 472"
    className={className}
    label="Des nuages passent devant le soleil au-dessus d’une école solaire&nbsp;; au sol, la production de la matinée est mesurée et celle de l’après-midi prévue avec sa marge."
  >
    <GroundPlate size={[12, 11.4]} />
    <circle cx={64} cy={-112} r={44} fill={drawingColours.glow} stroke="none" />
    <circle cx={64} cy={-112} r={27} fill={drawingColours.sun} stroke="none" />
    <School at={[3.6, 1, 0]} />
    <Tree at={[10, 2, 0]} />
    <Tree at={[10.8, 4.4, 0]} size={0.8} />
    <Tree at={[1.6, 3.2, 0]} size={0.9} />
    <EnergyCable
      points={[
        [5.6, 5.9, 0],
        [5.6, 7.6, 0],
        [10.6, 7.6, 0],
      ]}
    />
    <Meter at={[5.4, 5.6, 0]} />
    <DayLine />
    <Cloud x={112} y={-92} size={1.1} />
    <Cloud x={-62} y={-118} size={0.8} />
  </Drawing>
)
