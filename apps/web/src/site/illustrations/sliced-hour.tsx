import { FactoryBuilding, School, SmallHouse } from '../../components/drawing/buildings.tsx'
import { drawingColours, type IsoPoint, projectPoint } from '../../components/drawing/iso.ts'
import { Box, Drawing, EnergyCable, GroundPlate, Meter, Tree } from '../../components/drawing/solids.tsx'

const slices = [
  { name: 'L’atelier', height: 2.6, left: drawingColours.panel, right: '#2a4ca8', top: drawingColours.panelLine },
  { name: 'L’école', height: 1.4, left: drawingColours.roof, right: '#7b93bf', top: drawingColours.glass },
  { name: 'La maison', height: 1.1, left: drawingColours.glass, right: '#cfdbeb', top: drawingColours.light },
  { name: 'Le surplus', height: 0.6, left: '#0f9c8d', right: drawingColours.surplus, top: drawingColours.leaf },
]
const AT = [5.6, 8.4] as const
const SIDE = 2.2

/** A quarter of an hour of sun, cut in as many slices as there are neighbours. */
function Column() {
  let z = 0
  return slices.map(({ name, height, ...walls }) => {
    const at: IsoPoint = [AT[0], AT[1], z]
    z += height + 0.22
    const [x, y] = projectPoint([AT[0], AT[1] + SIDE, at[2] + height / 2])
    return (
      <g key={name}>
        <Box at={at} size={[SIDE, SIDE, height]} {...walls} />
        <g className="max-sm:hidden">
          <path d={`M${x} ${y}h-26`} fill="none" strokeOpacity={0.5} />
          <text
            x={x - 33}
            y={y + 5}
            textAnchor="end"
            fontSize={15}
            fontWeight={550}
            fill={drawingColours.text}
            stroke="none"
          >
            {name}
          </text>
        </g>
      </g>
    )
  })
}

const Sun = () => {
  const [x, y] = projectPoint([9.4, 1, 8.2])
  return (
    <g stroke="none">
      <circle cx={x} cy={y} r={36} fill={drawingColours.glow} />
      <circle cx={x} cy={y} r={22} fill={drawingColours.sun} />
    </g>
  )
}

export const SlicedHour = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-300 -126 606 478"
    className={className}
    label="La production d’un quart d’heure, empilée en quatre tranches&nbsp;: la part de l’atelier, celle de l’école, celle de la maison, et le surplus."
  >
    <GroundPlate size={[14, 14]} />
    <Sun />
    <FactoryBuilding at={[0.8, 1.4, 0]} />
    <Meter at={[4.4, 5.7, 0]} />
    <School at={[8, 0.4, 0]} />
    <Meter at={[9.4, 5.1, 0]} />
    <Tree at={[13.2, 5.4, 0]} />
    <EnergyCable
      points={[
        [6.7, 9.2, 0],
        [6.7, 7.4, 0],
        [4.6, 7.4, 0],
        [4.6, 6.2, 0],
      ]}
    />
    <EnergyCable
      points={[
        [6.7, 7.4, 0],
        [9.6, 7.4, 0],
        [9.6, 5.6, 0],
      ]}
    />
    <EnergyCable
      points={[
        [7.8, 9.6, 0],
        [9.6, 9.6, 0],
        [9.6, 12.6, 0],
        [11.4, 12.6, 0],
      ]}
    />
    <Column />
    <SmallHouse at={[10.4, 9.4, 0]} />
    <Meter at={[11.6, 12.2, 0]} />
    <Tree at={[8.6, 13.2, 0]} size={0.8} />
  </Drawing>
)
