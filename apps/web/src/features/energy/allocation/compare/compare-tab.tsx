import { useQuery } from '@tanstack/react-query'
import { type Key, keys } from '@voisol/contract/keys'
import type { Operation } from '@voisol/contract/operations'
import type { AllocationMethod } from '@voisol/contract/primitives'
import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Badge } from '../../../../components/badge.tsx'
import { BarChart } from '../../../../components/bar-chart.tsx'
import { Button, ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { buildCsv, saveCsv } from '../../../../components/chart/chart-export.ts'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { getTodayInParis, usePeriod } from '../../../../components/period/period.ts'
import { PeriodBar } from '../../../../components/period/period-bar.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { withAccess } from '../../../../lib/can.tsx'
import { explainError } from '../../../../lib/error-text.ts'
import { formatCount, formatEnergy, formatNumber, formatPercent } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { getStartOfNextMonth, KEY_DEPENDENT_QUERIES, NEW_VERSION } from '../keys/key-version-state.tsx'
import { formatRate } from '../labels.tsx'
import { useTabLink } from '../tab-and-period.ts'
import { usePointNames } from '../use-members.ts'
import {
  type ComparedMethod,
  type ConsumerChange,
  classifyChange,
  computeConsumerChanges,
  describeInequality,
  findBaseline,
  findBestAlternative,
  formatCoverageRange,
  hasBattery,
  type MethodResultRow,
  sortMethods,
  sumStoredEnergy,
  toComparedMethods,
} from './method-comparison.ts'

type ComparisonData = { steps: number; excluded: number; results: MethodResultRow[] }

function MethodComparison({
  operation,
  versions,
  data,
}: {
  operation: Operation
  versions: Key[]
  data: ComparisonData
}) {
  const [search, setSearch] = useSearchParams()
  const names = usePointNames(operation.id)
  const all = toComparedMethods(data.results, versions)
  const baseline = findBaseline(all, versions)
  const methods = sortMethods(all, baseline)
  const chosen = methods.find(({ id }) => id === search.get('methode')) ?? findBestAlternative(methods, baseline)
  const choose = (id: string) =>
    setSearch(
      (old) => {
        old.set('methode', id)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  if (data.steps === data.excluded)
    return (
      <EmptyState
        title="Rien à comparer sur cette période"
        why="Il faut au moins un instant où tous les relevés sont là. Importez les courbes de charge, ou choisissez une autre période."
        action={
          <ButtonLink variant="secondary" to="/enedis-data">
            Importer des courbes
          </ButtonLink>
        }
      />
    )
  return (
    <>
      <p className="text-body text-ink-soft">
        {formatCount(data.steps - data.excluded, 'pas de temps comparé', 'pas de temps comparés')}
        {data.excluded > 0 && `, ${formatNumber(data.excluded)} laissés de côté faute de relevés`}.
      </p>
      <MethodBars tried={methods} baseline={baseline} />
      <MethodsTable tried={methods} baseline={baseline} chosen={chosen} onChoose={choose} />
      {baseline && chosen && (
        <ConsumerChanges
          baseline={baseline}
          chosen={chosen}
          names={names}
          action={<PrepareVersionButton operationId={operation.id} versions={versions} chosen={chosen} />}
        />
      )}
    </>
  )
}

/** Every method on the operation's own history, before one of them is adopted. */
export default function CompareTab({ operation }: { operation: Operation }) {
  const [period, setPeriod] = usePeriod('month')
  const today = getTodayInParis()
  // Only days that are over can be compared.
  const days = { from: period.from, to: period.to < today ? period.to : today }
  const isPast = days.from < days.to
  const versions = useQuery(query(keys.list, { params: { id: operation.id } }))
  const { data, error, refetch } = useQuery({
    ...query(keys.compare, { params: { id: operation.id }, query: days }),
    enabled: isPast,
  })
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={setPeriod} max={today} />
      {!isPast && (
        <EmptyState
          title="Période à venir"
          why="Choisissez une période déjà passée pour comparer les méthodes."
          because="chosen-here"
        />
      )}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {isPast && !error && !(data && versions.data) && <Skeleton className="h-96 w-full" />}
      {isPast && data && versions.data && (
        <MethodComparison operation={operation} versions={versions.data.items} data={data} />
      )}
    </div>
  )
}

type Props = { operationId: string; versions: Key[]; chosen: ComparedMethod }

/** Turns the method that is shown into a draft of the key. */
const PrepareVersionButton = withAccess(keys.create, ({ operationId, versions, chosen }: Props) => {
  const { prepare, isPending } = usePrepareVersion(operationId, versions)
  const start = () =>
    prepare(chosen).catch((error: unknown) =>
      toast({ title: 'Version non préparée', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button loading={isPending} onClick={() => void start()}>
      Préparer une version avec cette méthode
    </Button>
  )
})

/** Turns a way to share into a draft of the key, with the very shares or ranks that were tried, and opens it. */
function usePrepareVersion(operationId: string, versions: Key[]) {
  const navigate = useNavigate()
  const link = useTabLink()
  const { run, isPending } = useAction(keys.create, KEY_DEPENDENT_QUERIES)
  const prepare = async (tried: ComparedMethod) => {
    const own = versions.find(({ id }) => id === tried.keyId)
    if (own)
      return navigate(link('cles', own.status === 'draft' ? { cle: own.id } : { cle: NEW_VERSION, modele: own.id }))
    const body = { method: tried.method, label: '', startsOn: getStartOfNextMonth(), shares: tried.shares }
    const made = await run({ params: { id: operationId }, body })
    return navigate(link('cles', { cle: made.id }))
  }
  return { prepare, isPending }
}

const CHANGE_BADGES = {
  gains: { label: 'Gagne', tone: 'success' },
  loses: { label: 'Perd', tone: 'danger' },
  same: { label: 'Identique', tone: 'neutral' },
} as const

/** More stored is less for others at that moment, and more for them later: neither good nor bad by itself. */
const BATTERY_CHANGE_BADGES = {
  gains: { label: 'Stocke plus', tone: 'neutral' },
  loses: { label: 'Stocke moins', tone: 'neutral' },
  same: CHANGE_BADGES.same,
} as const

const formatCoverage = (part: number, whole: number, storage: boolean) =>
  whole > 0 ? `${formatPercent(part / whole)} ${storage ? 'de sa charge' : 'couverts'}` : '–'

/** To the left what is lost, to the right what is won, on one scale. */
function ChangeBar({ change, most, storage }: { change: number; most: number; storage: boolean }) {
  const width = most > 0 ? (Math.abs(change) / most) * 50 : 0
  return (
    <svg aria-hidden="true" className="block h-3 w-32">
      <rect x="50%" width="1" height="100%" fill="#94A3B8" />
      <rect
        x={`${change < 0 ? 50 - width : 50}%`}
        width={`${width}%`}
        y="1"
        height="10"
        rx="2"
        fill={storage ? 'var(--data-storage)' : change < 0 ? 'var(--color-danger)' : 'var(--color-success)'}
      />
    </svg>
  )
}

const buildColumns = (most: number): Column<ConsumerChange>[] => [
  { header: 'Consommateur', cell: ({ label }) => <span className="block min-w-40 font-medium">{label}</span> },
  { header: 'Consommation', align: 'end', cell: ({ consumed }) => formatEnergy(consumed) },
  {
    header: 'Aujourd’hui',
    align: 'end',
    cell: ({ before, consumed, storage }) => (
      <span className="block whitespace-nowrap">
        {formatEnergy(before)}
        <span className="block text-[0.8125rem] text-ink-soft">{formatCoverage(before, consumed, storage)}</span>
      </span>
    ),
  },
  {
    header: 'Avec cette méthode',
    align: 'end',
    cell: ({ after, consumed, storage }) => (
      <span className="block whitespace-nowrap">
        {formatEnergy(after)}
        <span className="block text-[0.8125rem] text-ink-soft">{formatCoverage(after, consumed, storage)}</span>
      </span>
    ),
  },
  {
    header: 'Écart',
    align: 'end',
    cell: ({ change }) =>
      classifyChange(change) === 'same' ? '–' : `${change > 0 ? '+' : '−'}${formatEnergy(Math.abs(change))}`,
  },
  { header: 'Ampleur', cell: ({ change, storage }) => <ChangeBar change={change} most={most} storage={storage} /> },
  {
    header: 'Bilan',
    cell: ({ change, storage }) => {
      const { label, tone } = (storage ? BATTERY_CHANGE_BADGES : CHANGE_BADGES)[classifyChange(change)]
      return <Badge tone={tone}>{label}</Badge>
    },
  },
]

const summarizeChanges = (lines: ConsumerChange[]) => {
  const people = lines.filter(({ storage }) => !storage)
  const count = (way: keyof typeof CHANGE_BADGES) =>
    people.filter(({ change }) => classifyChange(change) === way).length
  const [gains, loses, same] = [count('gains'), count('loses'), count('same')]
  return `${formatCount(gains, 'consommateur')} ${gains < 2 ? 'recevrait' : 'recevraient'} plus d’énergie locale, ${loses} moins, ${same} autant qu’aujourd’hui.`
}

const formatCsvKwh = (wh: number) => String(Math.round(wh) / 1000).replace('.', ',')
const buildConsumersCsv = (lines: ConsumerChange[]) =>
  buildCsv([
    [
      'Consommateur',
      'Consommation (kWh)',
      'Aujourd’hui (kWh)',
      'Avec cette méthode (kWh)',
      'Gain (kWh)',
      'Perte (kWh)',
    ],
    ...lines.map(({ label, consumed, before, after, change }) => [
      label,
      ...[consumed, before, after, Math.max(0, change), Math.max(0, -change)].map(formatCsvKwh),
    ]),
  ])

type ConsumerChangesProps = {
  baseline: ComparedMethod
  chosen: ComparedMethod
  names: ReadonlyMap<string, string>
  action: ReactNode
}

/** Who would gain and who would lose if the operation changed its key. */
function ConsumerChanges({ baseline, chosen, names, action }: ConsumerChangesProps) {
  const lines = computeConsumerChanges(baseline, chosen, names)
  const most = Math.max(0, ...lines.map(({ change }) => Math.abs(change)))
  const title = `Avec «\u00a0${chosen.name}\u00a0» plutôt que «\u00a0${baseline.name}\u00a0»`
  return (
    <Card
      title={title}
      description={summarizeChanges(lines)}
      actions={
        <>
          <Button variant="secondary" onClick={() => saveCsv(`Comparaison ${chosen.name}`, buildConsumersCsv(lines))}>
            Données (CSV)
          </Button>
          {action}
        </>
      }
    >
      <Table label={title} rows={lines} columns={buildColumns(most)} />
    </Card>
  )
}

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

function MethodBars({ tried, baseline }: { tried: ComparedMethod[]; baseline: ComparedMethod | undefined }) {
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
function MethodsTable({ tried, baseline, chosen, onChoose }: MethodsTableProps) {
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
