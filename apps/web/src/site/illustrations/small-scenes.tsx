import { SmallHouse, UtilityPole } from '../../components/drawing/buildings.tsx'
import { computeViewBox, drawingColours, type IsoPoint, toPolyline } from '../../components/drawing/iso.ts'
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

type Props = { className?: string }

/** One roof, two neighbours. */
export const SharedRoof = ({ className }: Props) => (
  <Drawing
    viewBox={computeViewBox([7, 5], 1.6)}
    className={className}
    label="Le toit d’une maison alimente les deux maisons voisines."
  >
    <GroundPlate size={[7, 5]} />
    <EnergyCable
      points={[
        [1.9, 3.6, 0],
        [1.9, 4.3, 0],
        [5.6, 4.3, 0],
        [5.6, 3.4, 0],
      ]}
    />
    <SmallHouse at={[0.5, 0.8, 0]} panels={4} />
    <SmallHouse at={[4, 0.8, 0]} />
    <Meter at={[1.7, 3.3, 0]} />
    <Meter at={[5.3, 3.2, 0]} />
  </Drawing>
)

const hourHeights = [0.3, 0.5, 1, 1.7, 2.5, 3.1, 3.4, 3.2, 2.6, 1.8, 1, 0.5]
const MEASURED_HOURS = 7

/** A day in columns: what was measured, then what is foreseen. */
export const DayColumns = ({ className }: Props) => (
  <Drawing
    viewBox={computeViewBox([8.6, 3.6], 0.7)}
    className={className}
    label="Une journée solaire en colonnes : la production mesurée, puis la production prévue."
  >
    <GroundPlate size={[8.6, 3.6]} />
    {hourHeights.map((height, hour) => {
      const at: IsoPoint = [0.5 + hour * 0.64, 1.2, 0]
      const size: IsoPoint = [0.42, 1, height]
      return hour < MEASURED_HOURS ? (
        <Box key={at[0]} at={at} size={size} top={drawingColours.glow} left="#d98807" right={drawingColours.sun} />
      ) : (
        <g key={at[0]} strokeDasharray="2.5 2.5" stroke="#b45309">
          <Box at={at} size={size} top={drawingColours.light} left={drawingColours.glow} right={drawingColours.cream} />
        </g>
      )
    })}
  </Drawing>
)

/** The communicating meter, and the line that leads to the network. */
export function GridMeter({ className }: Props) {
  const body = { at: [1.4, 1.4, 0], size: [2, 1.3, 3.4] } as const
  return (
    <Drawing
      viewBox={computeViewBox([7.2, 4.6], 2.1)}
      className={className}
      label="Un compteur communicant relié au réseau de distribution."
    >
      <GroundPlate size={[7.2, 4.6]} />
      <UtilityPole at={[6.2, 0.9, 0]} height={4.6} />
      <EnergyCable
        kind="surplus"
        points={[
          [3.6, 2, 0],
          [6.2, 2, 0],
          [6.2, 1.1, 0],
        ]}
      />
      <EnergyCable
        points={[
          [0.2, 3.7, 0],
          [2.4, 3.7, 0],
          [2.4, 2.9, 0],
        ]}
      />
      <Box {...body} left={drawingColours.mid} right={drawingColours.light} />
      <PlanePatch
        plane={toSubPlane(getLeftWall(body), 0.18, 0.5, 0.64, 0.3)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.panel}
      />
      <PlanePatch
        plane={toSubPlane(getLeftWall(body), 0.27, 0.58, 0.3, 0.14)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.sun}
      />
      <PlanePatch
        plane={toSubPlane(getLeftWall(body), 0.18, 0.2, 0.18, 0.1)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.sun}
      />
      <PlanePatch
        plane={toSubPlane(getLeftWall(body), 0.44, 0.2, 0.18, 0.1)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.leaf}
      />
    </Drawing>
  )
}

/** An address that leads nowhere: the cable stops short of the house. */
export const Unplugged = ({ className }: Props) => (
  <Drawing
    viewBox={computeViewBox([11, 6.5], 2.7)}
    className={className}
    label="Une maison dont le câble est débranché : le courant s’arrête avant d’arriver."
  >
    <GroundPlate size={[11, 6.5]} />
    <UtilityPole at={[1, 4.2, 0]} height={5} />
    <EnergyCable
      points={[
        [1, 4.2, 0],
        [1, 5.4, 0],
        [4.4, 5.4, 0],
      ]}
    />
    <Box
      at={[4.5, 5.2, 0]}
      size={[0.5, 0.4, 0.4]}
      left={drawingColours.panel}
      right={drawingColours.panel}
      top={drawingColours.roof}
    />
    <SmallHouse at={[7.2, 1.6, 0]} lit={[]} />
    <path
      d={toPolyline([
        [8.4, 4, 0],
        [8.4, 5.4, 0],
        [6.6, 5.4, 0],
      ])}
      fill="none"
      stroke={drawingColours.shade}
      strokeWidth={6}
    />
    <Box at={[6.2, 5.2, 0]} size={[0.4, 0.4, 0.4]} />
  </Drawing>
)
