import type { LoadShape } from '@voisol/contract/analytics'
import { formatCount, formatEnergy } from '../../lib/format.ts'
import { ChartFrame } from '../../ui/chart/frame.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { useKeyboardSlider } from './use-walk.ts'

type HourBox = LoadShape['boxes'][number]
type HourBoxRow = HourBox & { id: string }
const HEIGHT = 220
const BOTTOM = 24

const formatHour = (hour: number) => `${hour}\u00a0h`
const describeBox = ({ hour, days, spread }: HourBox) =>
  spread
    ? `${formatHour(hour)}\u00a0: médiane ${formatEnergy(spread.median)}, la moitié des jours entre ${formatEnergy(spread.low)} et ${formatEnergy(spread.high)}, au plus ${formatEnergy(spread.max)} (${formatCount(days, 'jour')})`
    : `${formatHour(hour)}\u00a0: rien n’est connu`

const formatSpreadValue = (box: HourBox, of: (spread: NonNullable<HourBox['spread']>) => number) =>
  box.spread ? formatEnergy(of(box.spread)) : '–'
const COLUMNS: Column<HourBoxRow>[] = [
  { header: 'Heure', card: 'title', cell: ({ hour }) => formatHour(hour) },
  { header: 'Jours connus', align: 'end', cell: ({ days }) => days },
  { header: 'Minimum', align: 'end', cell: (box) => formatSpreadValue(box, ({ min }) => min) },
  { header: 'Premier quart', align: 'end', cell: (box) => formatSpreadValue(box, ({ low }) => low) },
  { header: 'Médiane', align: 'end', card: 'primary', cell: (box) => formatSpreadValue(box, ({ median }) => median) },
  { header: 'Dernier quart', align: 'end', cell: (box) => formatSpreadValue(box, ({ high }) => high) },
  { header: 'Maximum', align: 'end', cell: (box) => formatSpreadValue(box, ({ max }) => max) },
]

/** Arrows go from hour to hour; what the hour holds is said above. */
export function HourBoxPlot({ title, boxes }: { title: string; boxes: HourBox[] }) {
  const slider = useKeyboardSlider(boxes.length, `${title}, heure par heure`, (at) =>
    boxes[at] ? describeBox(boxes[at]) : '',
  )
  const [ref, width] = useWidth<HTMLDivElement>(480)
  const most = Math.max(1e-9, ...boxes.map(({ spread }) => spread?.max ?? 0))
  const y = (value: number) => (HEIGHT - BOTTOM) * (1 - value / most) + 4
  const step = width / 24
  const activeBox = slider.at === null ? undefined : boxes[slider.at]
  const best = boxes.toSorted((a, b) => (b.spread?.median ?? 0) - (a.spread?.median ?? 0))[0]
  return (
    <ChartFrame
      title={title}
      summary={best?.spread ? `L’heure la plus haute\u00a0: ${describeBox(best)}.` : 'Rien n’est connu sur la période.'}
      drawing={
        <div ref={ref}>
          <p className="min-h-10 text-[0.8125rem]">
            {activeBox
              ? describeBox(activeBox)
              : 'Le trait est la médiane, la boîte la moitié des jours, la ligne leur étendue.'}
          </p>
          <div
            {...slider.slider}
            className="rounded-md"
            onPointerMove={(event) => slider.setAt(Math.min(23, Math.floor((event.nativeEvent.offsetX / width) * 24)))}
          >
            <svg aria-hidden="true" width={width} height={HEIGHT} className="block">
              {boxes.map((box, at) => (
                <BoxDrawing key={box.hour} box={box} x={box.hour * step} step={step} y={y} held={at === slider.at} />
              ))}
            </svg>
          </div>
        </div>
      }
      table={
        <Table
          label={title}
          rows={boxes.map((box): HourBoxRow => ({ ...box, id: String(box.hour) }))}
          columns={COLUMNS}
        />
      }
    />
  )
}

type BoxDrawingProps = { box: HourBox; x: number; step: number; y: (value: number) => number; held: boolean }

function BoxDrawing({ box: { hour, spread }, x, step, y, held }: BoxDrawingProps) {
  const middle = x + step / 2
  const half = Math.max(2, step * 0.3)
  return (
    <g>
      {held && <rect x={x} width={step} height={HEIGHT - BOTTOM + 8} fill="#f1f5f9" />}
      {spread && (
        <>
          <line x1={middle} x2={middle} y1={y(spread.max)} y2={y(spread.min)} stroke="#64748b" />
          <rect
            x={middle - half}
            width={half * 2}
            y={y(spread.high)}
            height={Math.max(1, y(spread.low) - y(spread.high))}
            fill="var(--data-local)"
            opacity="0.55"
          />
          <line
            x1={middle - half}
            x2={middle + half}
            y1={y(spread.median)}
            y2={y(spread.median)}
            stroke="#0f172a"
            strokeWidth="2"
          />
        </>
      )}
      {hour % 3 === 0 && (
        <text x={middle} y={HEIGHT - 4} textAnchor="middle" fill="#475569" fontSize="12">
          {formatHour(hour)}
        </text>
      )}
    </g>
  )
}
