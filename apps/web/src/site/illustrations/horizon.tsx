import { drawingColours, type IsoPoint, projectPoint } from '../../components/drawing/iso.ts'
import { Box, Drawing, GroundPlate } from '../../components/drawing/solids.tsx'

const hourHeights = [0.12, 0.45, 1, 1.6, 2.1, 2.3, 2.1, 1.6, 1, 0.45, 0.12]
type Day = { y: number; sun: number; spread?: number }
/** The weather of the day scales it; what is only expected has a spread. */
const days: Day[] = [
  { y: 0.7, sun: 1 },
  { y: 2.5, sun: 0.5 },
  { y: 4.3, sun: 0.85 },
  { y: 6.5, sun: 0.95, spread: 0.14 },
  { y: 8.3, sun: 0.75, spread: 0.24 },
  { y: 10.1, sun: 0.7, spread: 0.36 },
]

const Hour = ({ at, height, spread }: { at: IsoPoint; height: number; spread: number }) => {
  const [x, y] = at
  if (!spread)
    return <Box at={at} size={[0.7, 0.7, height]} top={drawingColours.glow} left="#d98807" right={drawingColours.sun} />
  return (
    <>
      <Box
        at={at}
        size={[0.7, 0.7, height * (1 - spread)]}
        top={drawingColours.cream}
        left={drawingColours.glow}
        right={drawingColours.cream}
      />
      <g strokeDasharray="2.5 3" strokeOpacity={0.75} stroke="#b45309">
        <Box
          at={[x, y, height * (1 - spread)]}
          size={[0.7, 0.7, height * 2 * spread]}
          top="#fffdf8"
          left="#fffaf0"
          right="#fffdf8"
        />
      </g>
    </>
  )
}

const Label = ({ at, text }: { at: IsoPoint; text: string }) => {
  const [x, y] = projectPoint(at)
  return (
    <text x={x} y={y} fontSize={15} fontWeight={550} fill={drawingColours.text} stroke="none" className="max-sm:hidden">
      {text}
    </text>
  )
}

/** Days in a row, from those that are known to those that are only expected. */
export const ForecastHorizonScene = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-244 -46 540 360"
    className={className}
    label="Des journées solaires rangées l’une derrière l’autre&nbsp;: les premières sont mesurées, les dernières prévues avec une marge qui s’élargit."
  >
    <GroundPlate size={[12.4, 11.4]} />
    {days.map(({ y, sun, spread = 0 }) => (
      <g key={y}>
        {hourHeights.map((height, hour) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours do not move
          <Hour key={`${hour}h`} at={[0.8 + hour, y, 0]} height={height * sun} spread={spread} />
        ))}
      </g>
    ))}
    <Label at={[13.2, 2.6, 0]} text="Mesuré" />
    <Label at={[13.2, 8.6, 0]} text="Prévu" />
  </Drawing>
)
