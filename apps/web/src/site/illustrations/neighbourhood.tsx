import {
  ApartmentBuilding,
  FactoryBuilding,
  School,
  SmallHouse,
  UtilityPole,
} from '../../components/drawing/buildings.tsx'
import { drawingColours, type IsoPoint, projectPoint, toPolygon } from '../../components/drawing/iso.ts'
import { Drawing, EnergyCable, GroundPlate, Meter, Tree } from '../../components/drawing/solids.tsx'

const SIZE = 15
const HUB: IsoPoint = [7.5, 7.5, 0]

const Ground = () => (
  <>
    <GroundPlate size={[SIZE, SIZE]} />
    <g stroke="none" fill={drawingColours.street}>
      <path
        d={toPolygon([
          [6.6, 0, 0],
          [8.4, 0, 0],
          [8.4, SIZE, 0],
          [6.6, SIZE, 0],
        ])}
      />
      <path
        d={toPolygon([
          [0, 6.6, 0],
          [SIZE, 6.6, 0],
          [SIZE, 8.4, 0],
          [0, 8.4, 0],
        ])}
      />
    </g>
  </>
)

/** The school's roof is the power station: what it makes goes to the crossing, then to each neighbour. */
const Flows = () => (
  <>
    <EnergyCable kind="surplus" when="noon" points={[HUB, [0.5, 7.5, 0]]} />
    <EnergyCable when="edges" points={[HUB, [7.5, 4.5, 0], [6, 4.5, 0]]} />
    <EnergyCable when="noon" points={[HUB, [7.5, 11, 0], [6.4, 11, 0]]} />
    <EnergyCable when="edges" points={[HUB, [7.5, 14.2, 0], [13.2, 14.2, 0]]} />
    <EnergyCable points={[[10.6, 5.9, 0], [10.6, 7.5, 0], HUB]} />
  </>
)

/** The sun goes round a point under the ground: it is drawn at noon and turned by the style sheet. */
function Sky() {
  const [r, cy] = [372, 150]
  const end = [Math.round(r * Math.sin(1)), Math.round(cy - r * Math.cos(1))]
  return (
    <>
      <path
        d={`M-${end.join(' ')}A${r} ${r} 0 0 1 ${end.join(' ')}`}
        fill="none"
        stroke={drawingColours.sun}
        strokeOpacity={0.5}
        strokeDasharray="1 9"
        strokeWidth={2.4}
      />
      <g className="sun-course" stroke="none">
        <circle cy={cy - r} r={40} fill={drawingColours.glow} />
        <circle cy={cy - r} r={24} fill={drawingColours.sun} />
      </g>
    </>
  )
}

type Label = { text: string; from: IsoPoint; dx: number; dy: number; anchor: 'start' | 'end' }
const labels: Label[] = [
  { text: 'L’école produit', from: [12, 3.2, 3.6], dx: 24, dy: -44, anchor: 'start' },
  { text: 'L’immeuble', from: [1, 5, 5.6], dx: -34, dy: -26, anchor: 'end' },
  { text: 'L’atelier', from: [1, 11.8, 3.1], dx: -14, dy: -44, anchor: 'end' },
  { text: 'Le réseau', from: [0.5, 7.5, 4.9], dx: -30, dy: -14, anchor: 'end' },
  { text: 'Les maisons', from: [14.4, 12.6, 1], dx: 52, dy: 34, anchor: 'start' },
]

/** Too small to read on a telephone, where the sentence beside the drawing says it. */
const Labels = () => (
  <g className="max-sm:hidden">
    {labels.map(({ text, from, dx, dy, anchor }) => {
      const [x, y] = projectPoint(from)
      return (
        <g key={text}>
          <path d={`M${x} ${y}l${dx} ${dy}`} fill="none" strokeOpacity={0.5} />
          <text
            x={x + dx + (anchor === 'start' ? 7 : -7)}
            y={y + dy + 5}
            textAnchor={anchor}
            fontSize={15}
            fontWeight={550}
            fill={drawingColours.text}
            stroke="none"
          >
            {text}
          </text>
        </g>
      )
    })}
  </g>
)

export const Neighbourhood = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-345 -268 690 640"
    className={className}
    label="Un quartier vu d’en haut : le toit de l’école produit de l’électricité solaire ; elle part en pointillés ambrés vers l’immeuble, l’atelier et les maisons voisines, et le surplus rejoint le réseau."
  >
    <Sky />
    <Ground />
    <Flows />
    <Tree at={[0.6, 5.6, 0]} size={0.9} />
    <ApartmentBuilding at={[1, 1.2, 0]} />
    <Tree at={[2, 5.9, 0]} size={0.7} />
    <Tree at={[5.9, 1.6, 0]} size={0.8} />
    <Meter at={[5.6, 4.35, 0]} />
    <School at={[9.2, 1, 0]} />
    <Meter at={[10.4, 5.6, 0]} />
    <Tree at={[14.4, 5.6, 0]} size={0.9} />
    <UtilityPole at={[0.5, 7.5, 0]} />
    <FactoryBuilding at={[1, 9.6, 0]} />
    <Meter at={[6, 10.85, 0]} />
    <Tree at={[9.4, 9.4, 0]} />
    <Tree at={[13.6, 9.2, 0]} size={0.9} />
    <SmallHouse at={[9, 11.2, 0]} />
    <SmallHouse at={[12.1, 11.2, 0]} panels={4} />
    <Meter at={[10, 13.75, 0]} />
    <Meter at={[13.1, 13.75, 0]} />
    <Labels />
  </Drawing>
)
