import type { Study } from '@voisol/contract/projects'
import { useId } from 'react'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { BarPattern } from '../../ui/chart/bars.tsx'
import { ChartFrame } from '../../ui/chart/frame.tsx'
import { Swatch } from '../../ui/chart/legend.tsx'
import { Table } from '../../ui/table.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { SEASON_LABELS } from './labels.ts'
import { buildStairArea, buildStairLine, roundUpForAxis } from './season-shape.ts'
import { buildSeasonColumns, describeSeasonDays, HOUR_ROWS, sumValues } from './season-table.ts'

type Day = Study['days'][number]
const HEIGHT = 150
const LEFT = 40
const BOTTOM = 22
const TOP = 8
const ZEROS = Array<number>(24).fill(0)

const Axis = ({ width, highest }: { width: number; highest: number }) => (
  <g fill="#475569" className="tabular text-[11px]">
    {[0, 0.5, 1].map((part) => (
      <g key={part} transform={`translate(0 ${TOP + (1 - part) * HEIGHT})`}>
        <line x1={LEFT} x2={width} stroke={part === 0 ? '#64748B' : '#EEF2F6'} />
        <text x={LEFT - 6} dy="0.32em" textAnchor="end">
          {formatNumber((highest * part) / 1000)}
        </text>
      </g>
    ))}
    {[0, 6, 12, 18].map((hour) => (
      <text
        key={hour}
        x={LEFT + (hour / 24) * (width - LEFT)}
        y={TOP + HEIGHT + 16}
        textAnchor={hour ? 'middle' : 'start'}
      >
        {hour}&nbsp;h
      </text>
    ))}
  </g>
)

function SeasonPanel({ day, highest }: { day: Day; highest: number }) {
  const [ref, width] = useWidth<HTMLDivElement>(280)
  const id = useId()
  const box = { width: width - LEFT, height: HEIGHT }
  const share = sumValues(day.consumed) > 0 ? sumValues(day.allocated) / sumValues(day.consumed) : null
  return (
    <div className="min-w-0">
      <p className="mb-1 text-body">
        <span className="font-medium">{SEASON_LABELS[day.season]}</span>
        {share !== null && <span className="tabular text-ink-soft"> · {formatPercent(share, 0)} d’énergie locale</span>}
      </p>
      <div ref={ref}>
        <svg aria-hidden="true" width={width} height={TOP + HEIGHT + BOTTOM} className="block max-w-full">
          <defs>
            <BarPattern id={`${id}-surplus`} series={{ label: '', color: 'var(--data-surplus)', pattern: 'dotted' }} />
          </defs>
          <Axis width={width} highest={highest} />
          <g transform={`translate(${LEFT} ${TOP})`}>
            <path
              d={buildStairArea(day.allocated, day.produced, highest, box)}
              fill={`url(#${id}-surplus)`}
              opacity="0.75"
            />
            <path d={buildStairArea(ZEROS, day.allocated, highest, box)} fill="var(--data-local)" />
            <path
              d={buildStairLine(day.consumed, highest, box)}
              fill="none"
              stroke="var(--data-consumption)"
              strokeWidth="2"
              strokeLinejoin="round"
            />
          </g>
        </svg>
      </div>
    </div>
  )
}

const Legend = () => (
  <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
    <span className="inline-flex items-center gap-1.5">
      <Swatch kind="stacked" color="var(--data-local)" /> Énergie locale consommée
    </span>
    <span className="inline-flex items-center gap-1.5">
      <Swatch kind="stacked" color="var(--data-surplus)" pattern="dotted" /> Surplus
    </span>
    <span className="inline-flex items-center gap-1.5">
      <Swatch kind="line" color="var(--data-consumption)" /> Consommation
    </span>
    <span className="sm:ml-auto">Moyenne en kW</span>
  </div>
)

/** The usual day of each season on one scale, side by side. */
export function SeasonDays({ study: { days } }: { study: Study }) {
  const highest = roundUpForAxis(Math.max(...days.flatMap(({ produced, consumed }) => [...produced, ...consumed])))
  return (
    <ChartFrame
      title="Une journée type par saison"
      summary={describeSeasonDays(days)}
      drawing={
        <div className="grid gap-4 [&>*]:min-w-0">
          <Legend />
          <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 2xl:grid-cols-4">
            {days.map((day) => (
              <SeasonPanel key={day.season} day={day} highest={highest} />
            ))}
          </div>
        </div>
      }
      table={<Table label="Une journée type par saison" rows={HOUR_ROWS} columns={buildSeasonColumns(days)} />}
    />
  )
}
