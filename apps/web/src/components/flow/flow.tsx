import BatteryCharging from 'lucide-react/icons/battery-charging'
import { Suspense, useId, useMemo, useState } from 'react'
import { formatEnergy, formatNumber, formatPercent } from '../../lib/format.ts'
import { Button } from '../button.tsx'
import { buildCsv, saveCsv } from '../chart/chart-export.ts'
import { ChartFrame } from '../chart/chart-frame.tsx'
import { Swatch } from '../chart/legend.tsx'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../loading.tsx'
import { Switch } from '../radio-group.tsx'
import { type SharePart, toGridPart, toLocalPart, toStoragePart, toSurplusPart } from '../stack/energy-parts.ts'
import { ShareBar } from '../stack/share-bar.tsx'
import { type Column, Table } from '../table.tsx'
import { useWidth } from '../use-width.ts'
import { describeFlow, type FlowConsumer, type FlowData, groupSmallConsumers, OTHERS_ID } from './flow-model.ts'

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

type FlowRow = { id: string; label: string; storage?: boolean | undefined; parts: SharePart[] }

const SHARED_LABEL = 'Partagé'

const sumParts = ({ parts }: FlowRow) => parts.reduce((sum, part) => sum + part.value, 0)

/** The first part is the one that matters: what was shared, or what was local. */
const formatFirstShare = (row: FlowRow) => {
  const [first] = row.parts
  const size = sumParts(row)
  return first && size > 0
    ? `${formatPercent(first.value / size, 0)} ${first.label === SHARED_LABEL ? 'partagé' : 'local'}`
    : '–'
}

function FlowRows({ title, rows }: { title: string; rows: FlowRow[] }) {
  // The group of all others would flatten everyone: it is not measured against them.
  const largest = Math.max(1e-9, ...rows.filter((row) => row.id !== OTHERS_ID).map(sumParts))
  const id = useId()
  // The picture they are a part of is titled, and is no section of the page: neither are they.
  return (
    <div className="grid min-w-0 gap-3">
      <p id={id} className="text-body font-semibold">
        {title}
      </p>
      <ul aria-labelledby={id} className="grid min-w-0 gap-3">
        {rows.map((row) => (
          <li key={row.id} className="grid min-w-0 gap-1">
            <span className="flex min-w-0 items-baseline justify-between gap-3 text-[0.8125rem]">
              <span className="min-w-0 text-pretty">
                {row.storage && <BatteryCharging aria-hidden="true" className="mr-1 inline size-4 text-storage" />}
                {row.label}
                {row.storage && ' (batterie)'}
              </span>
              <span className="tabular shrink-0">
                <span className="font-medium">{formatEnergy(sumParts(row))}</span>
                <span className="text-ink-soft"> · {formatFirstShare(row)}</span>
              </span>
            </span>
            <ShareBar parts={row.parts} scale={Math.min(1, sumParts(row) / largest)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The same figures for a narrow screen: one bar per producer and per consumer. */
function FlowList({ data, withGrid }: { data: FlowData; withGrid: boolean }) {
  const given = new Map<string, number>()
  for (const { from, wh } of data.links) given.set(from, (given.get(from) ?? 0) + wh)
  const producers = data.producers.map(({ id, label, wh, storage }): FlowRow => {
    const shared = given.get(id) ?? 0
    const rest = toSurplusPart(Math.max(0, wh - shared), storage ? 'Sans preneur' : undefined)
    return {
      id,
      label,
      storage,
      parts: [storage ? toStoragePart(shared, SHARED_LABEL) : toLocalPart(shared, SHARED_LABEL), rest],
    }
  })
  const consumers = data.consumers.map(
    ({ id, label, wh, gridWh, storage }): FlowRow => ({
      id,
      label,
      storage,
      parts: [storage ? toStoragePart(wh, 'Stocké') : toLocalPart(wh), ...(withGrid ? [toGridPart(gridWh)] : [])],
    }),
  )
  return (
    <div className="grid min-w-0 gap-6">
      <FlowRows title="Ce que chacun a produit" rows={producers} />
      <FlowRows title="Ce que chacun a reçu" rows={consumers} />
    </div>
  )
}
