import type { SimulatorResult } from '@voisol/energy/simulator'
import { scaleLinear } from 'd3-scale'
import { formatNumber } from '../../lib/format.ts'
import { ChartFrame } from '../../ui/chart/frame.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useWidth } from '../../ui/use-width.ts'

const HEIGHT = 240
const MARGIN = { top: 16, right: 12, bottom: 28, left: 84 }
const formatEuros = (value: number) => `${formatNumber(value, 0)}\u00a0€`

type ProjectionYear = { id: string; annee: number; economiesCumulees: number; bilan: number }
const COLUMNS: Column<ProjectionYear>[] = [
  { header: 'Année', cell: (year) => year.annee },
  { header: 'Économies cumulées', align: 'end', cell: (year) => formatEuros(year.economiesCumulees) },
  { header: 'Bilan après investissement', align: 'end', cell: (year) => formatEuros(year.bilan) },
]

function describeProjection({ projection, roi, investissementNet }: SimulatorResult) {
  const last = projection.at(-1)?.bilan ?? 0
  const end = `Au bout de vingt ans, le bilan est de ${formatEuros(last)} pour ${formatEuros(investissementNet)} investis.`
  if (roi === null) return `Sans économie annuelle, l’investissement n’est pas remboursé. ${end}`
  return roi <= 20
    ? `L’investissement est remboursé après ${formatNumber(roi, 1)}\u00a0ans environ. ${end}`
    : `L’investissement n’est pas remboursé en vingt ans. ${end}`
}

function ProjectionChart({ projection, investissementNet, roi }: SimulatorResult) {
  const [ref, width] = useWidth<HTMLDivElement>(560)
  const points = [{ annee: 0, bilan: -investissementNet }, ...projection]
  const values = points.map(({ bilan }) => bilan)
  const x = scaleLinear([0, 20], [MARGIN.left, width - MARGIN.right])
  const y = scaleLinear([Math.min(0, ...values), Math.max(1, ...values)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4)
  const bar = Math.max(4, (x(1) - x(0)) * 0.62)
  return (
    <div ref={ref} className="w-full min-w-0">
      <svg aria-hidden="true" width={width} height={HEIGHT} className="tabular block max-w-full text-[12px]">
        {y.ticks(4).map((tick) => (
          <g key={tick} transform={`translate(0 ${y(tick)})`}>
            <line x1={MARGIN.left} x2={width} stroke={tick === 0 ? '#64748B' : '#EEF2F6'} />
            <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end" fill="#475569">
              {formatEuros(tick)}
            </text>
          </g>
        ))}
        {points.map(({ annee, bilan }) => (
          <rect
            key={annee}
            x={x(annee) - (annee === 0 ? 0 : bar / 2)}
            width={annee === 0 ? bar / 2 : bar}
            y={Math.min(y(0), y(bilan))}
            height={Math.max(1, Math.abs(y(bilan) - y(0)))}
            rx="2"
            fill={bilan < 0 ? '#CBD5E1' : 'var(--data-local)'}
          />
        ))}
        {roi !== null && roi <= 20 && (
          <g transform={`translate(${x(roi)} 0)`}>
            <line y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} stroke="#0F172A" strokeDasharray="3 3" />
            <text x={roi > 12 ? -6 : 6} y={MARGIN.top + 4} textAnchor={roi > 12 ? 'end' : 'start'} fill="#0F172A">
              Retour&nbsp;: {formatNumber(roi, 1)} ans
            </text>
          </g>
        )}
        {[0, 5, 10, 15, 20].map((year) => (
          <text
            key={year}
            x={x(year)}
            y={HEIGHT - 9}
            textAnchor={year === 0 ? 'start' : year === 20 ? 'end' : 'middle'}
            fill="#475569"
          >
            {year === 0 && width > 480 ? 'Mise en service' : width > 480 ? `${year} ans` : year}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** What the investment gives back over twenty years. */
export const Projection = ({ result }: { result: SimulatorResult }) => (
  <ChartFrame
    title="Projection sur 20 ans"
    summary={describeProjection(result)}
    drawing={<ProjectionChart {...result} />}
    table={
      <Table
        label="Projection sur 20 ans"
        rows={result.projection.map((year) => ({ ...year, id: String(year.annee) }))}
        columns={COLUMNS}
      />
    }
  />
)
