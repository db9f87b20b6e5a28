import { Suspense, useMemo, useState } from 'react'
import { formatEnergy, formatNumber, formatPercent } from '../../lib/format.ts'
import { Button } from '../button.tsx'
import { buildCsv, saveCsv } from '../chart/download.ts'
import { ChartFrame } from '../chart/frame.tsx'
import { Swatch } from '../chart/legend.tsx'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../skeleton.tsx'
import { Switch } from '../switch.tsx'
import { type Column, Table } from '../table.tsx'
import { useWidth } from '../use-width.ts'
import { FlowList } from './flow-list.tsx'
import { describeFlow, type FlowConsumer, type FlowData, groupSmallConsumers } from './model.ts'

const Sankey = lazy(() => import('./sankey.tsx').then((module) => ({ default: module.Sankey })))

const NARROW_WIDTH = 640

const formatLocalShare = ({ wh, gridWh }: FlowConsumer) => (wh + gridWh > 0 ? formatPercent(wh / (wh + gridWh)) : '–')
const columns: Column<FlowConsumer>[] = [
  { header: 'Consommateur', cell: (row) => (row.storage ? `${row.label} (batterie, charge)` : row.label) },
  { header: 'Énergie locale', align: 'end', cell: (row) => formatEnergy(row.wh) },
  { header: 'Réseau', align: 'end', cell: (row) => formatEnergy(row.gridWh) },
  { header: 'Part locale', align: 'end', cell: formatLocalShare },
]

const formatCsvKwh = (wh: number) => formatNumber(wh / 1000, 3).replace(/[\s\u00a0\u202f]/g, '')
const buildFlowCsv = ({ producers, consumers, links, surplusWh }: FlowData) => {
  const producer = new Map(producers.map((one) => [one.id, one.label]))
  const consumer = new Map(consumers.map((one) => [one.id, one.label]))
  return buildCsv([
    ['De', 'Vers', 'Énergie (kWh)'],
    ...links.map(({ from, to, wh }) => [producer.get(from) ?? from, consumer.get(to) ?? to, formatCsvKwh(wh)]),
    ...consumers.map(({ label, gridWh }) => ['Réseau', label, formatCsvKwh(gridWh)]),
    ['Tous les producteurs', 'Surplus', formatCsvKwh(surplusWh)],
  ])
}

const Legend = ({ storage }: { storage: boolean }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
    {(
      [
        ['Énergie locale', 'var(--data-local)'],
        ...(storage ? ([['Batterie', 'var(--data-storage)', 'barred']] as const) : []),
        ['Réseau', 'var(--data-grid)'],
        ['Surplus', 'var(--data-surplus)', 'dotted'],
      ] as const
    ).map(([label, color, pattern]) => (
      <li key={label} className="inline-flex items-center gap-1.5">
        <Swatch kind="stacked" color={color} pattern={pattern} />
        {label}
      </li>
    ))}
  </ul>
)

/** Who got what: producers and the grid to consumers and the surplus. Keep `data` stable between renders. */
export function FlowDiagram({ title, data }: { title: string; data: FlowData }) {
  const [ref, width] = useWidth<HTMLDivElement>(960)
  const [open, setOpen] = useState(false)
  const [withGrid, setWithGrid] = useState(true)
  const shown = useMemo(() => groupSmallConsumers(data, open ? Number.POSITIVE_INFINITY : undefined), [data, open])
  const hidden = data.consumers.length - shown.consumers.length
  return (
    <ChartFrame
      title={title}
      summary={describeFlow(data)}
      drawing={
        <div ref={ref} className="grid gap-3 [&>*]:min-w-0">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <Legend storage={[...data.producers, ...data.consumers].some((one) => one.storage)} />
            <div data-print="hide" className="flex flex-wrap items-center gap-x-5 gap-y-2">
              <Switch
                label="Complément du réseau"
                checked={withGrid}
                onChange={(event) => setWithGrid(event.target.checked)}
              />
              {(open || hidden > 0) && (
                <Button variant="secondary" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
                  {open ? 'Regrouper les petits consommateurs' : `Détailler les ${formatNumber(hidden + 1)} autres`}
                </Button>
              )}
            </div>
          </div>
          {width < NARROW_WIDTH ? (
            <FlowList data={shown} withGrid={withGrid} />
          ) : (
            <Suspense fallback={<Skeleton className="h-96 w-full" />}>
              <Sankey data={shown} withGrid={withGrid} />
            </Suspense>
          )}
        </div>
      }
      table={<Table label={title} rows={data.consumers} columns={columns} />}
      downloads={
        <Button variant="secondary" size="small" onClick={() => saveCsv(title, buildFlowCsv(data))}>
          Données (CSV)
        </Button>
      }
    />
  )
}
