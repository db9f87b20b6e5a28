import { ApartmentBuilding, SmallHouse } from '../../components/drawing/buildings.tsx'
import { drawingColours } from '../../components/drawing/iso.ts'
import { Box, Drawing, EnergyCable, Meter, Tree } from '../../components/drawing/solids.tsx'

const listGridCells = (cols: number, rows: number) =>
  Array.from({ length: cols * rows }, (_, index) => [index % cols, Math.floor(index / cols)] as const)

/** Meters on a step: each step is higher and holds more of them. */
function SizeStep({ x, height, cols, rows }: { x: number; height: number; cols: number; rows: number }) {
  return (
    <>
      <Box at={[x, 0, 0]} size={[5, 7, height]} top={drawingColours.ground} />
      {listGridCells(cols, rows).map(([col, row]) => (
        <Meter key={`${col} ${row}`} at={[x + 0.7 + col * 1.1, 2.6 + row * 1.1, height]} />
      ))}
    </>
  )
}

/** Three sizes of the same thing: a house, a building, a district of meters. */
export const ThreeSizes = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-166 -204 486 478"
    className={className}
    label="Trois marches de plus en plus hautes portent de plus en plus de compteurs&nbsp;: une maison, un immeuble, un quartier."
  >
    <SizeStep x={0} height={4.4} cols={4} rows={4} />
    <ApartmentBuilding at={[0.4, -1.6, 4.4]} floors={2} />
    <SizeStep x={5} height={2.2} cols={3} rows={3} />
    <SmallHouse at={[6, -0.2, 2.2]} panels={4} />
    <SizeStep x={10} height={0.5} cols={2} rows={2} />
    <Tree at={[11, 1.2, 0.5]} size={1.1} />
    <Tree at={[13, 1.6, 0.5]} size={0.8} />
    <EnergyCable
      points={[
        [14.2, 6.4, 0.5],
        [10.4, 6.4, 0.5],
      ]}
    />
  </Drawing>
)
