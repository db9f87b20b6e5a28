import type { AllocationMethod } from '@voisol/contract/primitives'
import { formatEnergy, formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { formatRate } from '../words.tsx'
import { type ComparedMethod, describeInequality, formatCoverageRange, hasBattery, sumStoredEnergy } from './model.ts'

const SHORT_METHOD_LABELS: Record<AllocationMethod, string> = {
  default: 'Défaut',
  equal: 'Égales',
  static: 'Stat.',
  redistributed: 'Redis.',
  priority: 'Prio.',
  simple: 'Simple',
  complete: 'Compl.',
}
const LOCAL_SERIES = { label: 'Énergie locale', color: 'var(--data-local)' }
const SURPLUS_SERIES = { label: 'Surplus', color: 'var(--data-surplus)', pattern: 'dotted' as const }
const DIRECT_SERIES = { ...LOCAL_SERIES, label: 'Partagé en direct' }
const STORED_SERIES = { label: 'Stocké', color: 'var(--data-storage)', pattern: 'striped' as const }

/** Of what was produced: what batteries store is in it, what they give back is not. */
const computeSharedWh = ({ produced, surplus }: ComparedMethod) => produced - surplus

const summarizeMethods = (tried: ComparedMethod[], baseline: ComparedMethod | undefined) => {
  const best = tried.reduce<ComparedMethod | undefined>(
    (top, one) => (!top || computeSharedWh(one) > computeSharedWh(top) ? one : top),
    undefined,
  )
  if (!best) return ''
  const gain = baseline ? computeSharedWh(best) - computeSharedWh(baseline) : 0
  const gainText = gain > 0 ? `, ${formatEnergy(gain)} de plus qu’aujourd’hui` : ''
  return `La méthode qui partage le plus est «\u00a0${best.name}\u00a0»\u00a0: ${formatEnergy(computeSharedWh(best))}, soit ${formatRate(best.selfConsumption)} de la production${gainText}.`
}

export function MethodBars({ tried, baseline }: { tried: ComparedMethod[]; baseline: ComparedMethod | undefined }) {
  const stores = tried.some(hasBattery)
  const size = Math.max(...tried.map(({ produced }) => produced)) >= 1e6 ? 1e6 : 1e3
  return (
    <Card>
      <BarChart
        title={stores ? 'Ce que devient la production selon la méthode' : 'Énergie locale et surplus selon la méthode'}
        summary={summarizeMethods(tried, baseline)}
        unit={size === 1e6 ? 'MWh' : 'kWh'}
        series={stores ? [DIRECT_SERIES, STORED_SERIES, SURPLUS_SERIES] : [LOCAL_SERIES, SURPLUS_SERIES]}
        bars={tried.map((one) => ({
          label: one.name,
          short: one.keyId ? one.name.replace('Version ', 'V') : SHORT_METHOD_LABELS[one.method],
          values: (stores
            ? [computeSharedWh(one) - sumStoredEnergy(one), sumStoredEnergy(one), one.surplus]
            : [computeSharedWh(one), one.surplus]
          ).map((value) => value / size),
        }))}
      />
    </Card>
  )
}

const formatDifference = (wh: number) =>
  Math.abs(wh) < 1 ? 'identique' : `${wh > 0 ? '+' : '−'}${formatEnergy(Math.abs(wh))}`
const parseBasis = (label: string) => /\((.+)\)\s*$/.exec(label)?.[1]

const formatGiniIndexes = (tried: ComparedMethod[]) =>
  tried
    .filter(({ inequality }) => inequality !== null)
    .map(({ name, inequality }) => `${name} ${formatNumber(inequality ?? 0, 2)}`)
    .join(', ')

const STORED_COLUMN: Column<ComparedMethod> = {
  header: 'Stocké',
  align: 'end',
  cell: (one) => formatEnergy(sumStoredEnergy(one)),
}

type MethodsTableProps = {
  tried: ComparedMethod[]
  baseline: ComparedMethod | undefined
  chosen: ComparedMethod | undefined
  onChoose: (id: string) => void
}

/** Every way to share on one line each. */
export function MethodsTable({ tried, baseline, chosen, onChoose }: MethodsTableProps) {
  const columns: Column<ComparedMethod>[] = [
    {
      header: 'Méthode',
      cell: ({ id, name, label }) => (
        <span className="block min-w-48 py-1.5">
          <span className="flex flex-wrap items-center gap-2 font-medium">
            {name}
            {id === baseline?.id && <Badge tone="success">Aujourd’hui</Badge>}
          </span>
          {parseBasis(label) && <span className="block text-[0.8125rem] text-ink-soft">{parseBasis(label)}</span>}
        </span>
      ),
    },
    { header: 'Énergie locale', align: 'end', cell: ({ allocated }) => formatEnergy(allocated) },
    {
      header: 'Face à aujourd’hui',
      align: 'end',
      cell: ({ id, allocated }) =>
        id === baseline?.id || !baseline ? '–' : formatDifference(allocated - baseline.allocated),
    },
    ...(tried.some(hasBattery) ? [STORED_COLUMN] : []),
    { header: 'Autoconsommation', align: 'end', cell: ({ selfConsumption }) => formatRate(selfConsumption) },
    { header: 'Surplus', align: 'end', cell: ({ surplus }) => formatEnergy(surplus) },
    {
      header: 'Répartition',
      cell: (one) => (
        <span className="block whitespace-nowrap">
          {describeInequality(one.inequality)}
          <span className="block text-[0.8125rem] text-ink-soft">{formatCoverageRange(one)}</span>
        </span>
      ),
    },
    {
      header: 'Détail',
      cell: ({ id, name }) => (
        <Button
          variant="secondary"
          size="small"
          aria-pressed={id === chosen?.id}
          aria-label={`Examiner ${name}`}
          className={id === chosen?.id ? 'border-primary-ink bg-primary-soft text-primary-ink' : undefined}
          onClick={() => onChoose(id)}
        >
          Examiner
        </Button>
      ),
    },
  ]
  return (
    <Card
      title="Toutes les méthodes"
      description="Calculées sur les relevés de la période, comme si chacune avait toujours été en vigueur."
    >
      <Table label="Méthodes comparées" rows={tried} columns={columns} />
      <p className="prose-width mt-3 text-[0.8125rem] text-ink-soft">
        Une répartition est «&nbsp;presque égale&nbsp;» quand chacun voit à peu près la même part de sa consommation
        couverte, et «&nbsp;très inégale&nbsp;» quand quelques-uns reçoivent l’essentiel. L’indice de Gini va de 0 (tous
        couverts de même) à 1 (tout pour un seul)&nbsp;: {formatGiniIndexes(tried)}.
      </p>
    </Card>
  )
}
