import { useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { withDe } from '@voisol/contract/elision'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useId, useMemo, useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { toEpochMinute } from '../../../../components/energy-explorer/columns.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { FieldFrame, Select } from '../../../../components/input.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { Pagination } from '../../../../components/pagination.tsx'
import { formatFullDay } from '../../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../../components/table.tsx'
import {
  formatCount,
  formatDateTime,
  formatEnergy,
  formatNumber,
  formatPower,
  formatTime,
} from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import { CURVE_SOURCE_LABELS, type CurveVersion } from '../labels.ts'
import { LazyCurveExplorer } from '../lazy-curve.tsx'

export type SelectedDay = { pointId: string; name: string; day: string }

function DayContent({ pointId, day, name }: SelectedDay) {
  const { data, error, refetch } = useQuery({
    ...query(curves.versions, { params: { id: pointId, day } }),
    staleTime: 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-72 w-full" />
  if (data.items.length === 0)
    return (
      <p className="py-4 text-body text-ink-soft">
        Aucun relevé n’a été reçu pour cette journée. Rien n’est compté comme zéro&nbsp;: elle reste manquante jusqu’à
        son arrivée.
      </p>
    )
  return <DayVersions name={name} startsAt={data.startsAt} items={data.items} />
}

type Props = {
  chosen: SelectedDay | null
  onClose: () => void
  /** Where the day is not whole: the distributor can be asked for it again. */
  onRequest?: () => void
}

/** All that was ever received for one day of one point. */
export const DayDialog = ({ chosen, onClose, onRequest }: Props) => (
  <Dialog
    title={chosen ? formatFullDay(chosen.day).replace(/^./, (first) => first.toUpperCase()) : ''}
    description={chosen?.name}
    width="wide"
    open={chosen !== null}
    onOpenChange={(open) => !open && onClose()}
    actions={
      onRequest && (
        <Button variant="secondary" icon={<RefreshCw aria-hidden="true" />} onClick={onRequest}>
          Redemander au distributeur
        </Button>
      )
    }
  >
    {chosen && <DayContent {...chosen} />}
  </Dialog>
)

const columns: Column<CurveVersion & { id: string }>[] = [
  { header: 'Version', align: 'end', cell: ({ version }) => formatNumber(version) },
  {
    header: 'État',
    cell: ({ supersededAt }) =>
      supersededAt === null ? <Badge tone="success">En vigueur</Badge> : <Badge>Remplacée</Badge>,
  },
  {
    header: 'Reçue le',
    cell: ({ receivedAt }) => <span className="tabular whitespace-nowrap">{formatDateTime(receivedAt)}</span>,
  },
  { header: 'Source', cell: ({ source }) => CURVE_SOURCE_LABELS[source] },
  { header: 'Pas', align: 'end', cell: ({ step }) => `${step}\u00a0min` },
  {
    header: 'Relevés',
    align: 'end',
    cell: ({ present, expected }) => `${formatNumber(present)} sur ${formatNumber(expected)}`,
  },
  {
    header: 'Énergie',
    align: 'end',
    cell: ({ energyWh }) => <span className="whitespace-nowrap">{formatEnergy(energyWh)}</span>,
  },
]

const toVersionSeries = (label: string, one: CurveVersion) => ({
  key: label,
  label,
  role: 'consumption' as const,
  values: one.watts,
  quality: one.marks,
})

const getVersionLabel = ({ version, receivedAt }: CurveVersion) =>
  `Version ${version}, reçue le ${formatDateTime(receivedAt)}`

type DayVersionsProps = { name: string; startsAt: string; items: CurveVersion[] }

/** The day as it is known now, against the version that one picks. */
function DayVersions({ name, startsAt, items }: DayVersionsProps) {
  const [current, previous] = items
  const [picked, setPicked] = useState(previous?.version)
  const other = items.find(({ version }) => version === picked)
  const id = useId()
  const chartData = useMemo(() => {
    if (!current) return null
    if (!other)
      return { series: [toVersionSeries(`Version ${current.version}`, current)], step: current.step, changes: [] }
    const { step, old, now, changes } = compareVersions(other, current)
    const series = [
      {
        ...toVersionSeries(`Version ${current.version}`, current),
        values: now,
        ...(step !== current.step && { quality: undefined }),
      },
      { ...toVersionSeries(`Version ${other.version}`, other), values: old, quality: undefined, compared: true },
    ]
    return { series, step, changes, wh: current.energyWh - other.energyWh }
  }, [current, other])
  if (!current || !chartData) return null
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <Table
        label="Versions de la journée"
        rows={items.map((one) => ({ ...one, id: String(one.version) }))}
        columns={columns}
      />
      {items.length > 1 && (
        <FieldFrame id={id} label={`Comparer la version ${current.version} avec`}>
          <Select
            id={id}
            className="sm:w-96"
            value={String(picked)}
            onChange={(event) => setPicked(Number(event.target.value))}
            options={items.slice(1).map((one) => ({ value: String(one.version), label: getVersionLabel(one) }))}
          />
        </FieldFrame>
      )}
      <LazyCurveExplorer
        title={`Courbe ${withDe(name)}`}
        series={chartData.series}
        startsAt={toEpochMinute(startsAt)}
        step={chartData.step}
      />
      {other && (
        <DifferenceTable
          key={other.version}
          {...chartData}
          from={other}
          to={current}
          startsAt={toEpochMinute(startsAt)}
        />
      )}
      {items.length === 1 && (
        <p className="text-body text-ink-soft">
          Une seule version a été reçue&nbsp;: {formatCount(current.present, 'relevé')}, jamais corrigée depuis.
        </p>
      )}
    </div>
  )
}

const PAGE_SIZE = 12
const formatWatts = (value: number | null) => (value === null ? 'manquant' : formatPower(value))
const formatSigned = (text: string, value: number) => (value > 0 ? `+${text}` : text.replace(/^-/, '\u2212'))
const formatChange = ({ before, after }: StepChange) =>
  before === null || after === null ? '–' : formatSigned(formatPower(after - before), after - before)

type DifferenceTableProps = {
  changes: StepChange[]
  from: CurveVersion
  to: CurveVersion
  startsAt: number
  step: number
}

/** The steps that the later version says otherwise, and they alone. */
function DifferenceTable({ changes, from, to, startsAt, step }: DifferenceTableProps) {
  const [page, setPage] = useState(1)
  const label = `Différences entre les versions ${from.version} et ${to.version}`
  const columns: Column<StepChange & { id: string }>[] = [
    {
      header: 'Heure',
      cell: ({ at }) => <span className="tabular">{formatTime((startsAt + at * step) * 60_000)}</span>,
    },
    { header: `Version ${from.version}`, align: 'end', cell: ({ before }) => formatWatts(before) },
    { header: `Version ${to.version}`, align: 'end', cell: ({ after }) => formatWatts(after) },
    { header: 'Écart', align: 'end', cell: formatChange },
  ]
  if (changes.length === 0)
    return <p className="text-body text-ink-soft">Ces deux versions donnent les mêmes puissances à chaque pas.</p>
  const wh = to.energyWh - from.energyWh
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <p className="text-body">
        {formatCount(changes.length, 'pas diffère', 'pas diffèrent')}. L’énergie de la journée change de{' '}
        <span className="tabular font-medium">{formatSigned(formatEnergy(wh), wh)}</span>.
      </p>
      <Table
        label={label}
        rows={changes.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((one) => ({ ...one, id: String(one.at) }))}
        columns={columns}
      />
      {changes.length > PAGE_SIZE && (
        <Pagination label={label} page={page} size={PAGE_SIZE} total={changes.length} onPage={setPage} />
      )}
    </div>
  )
}

/** Watts over the same day at a finer step: a mean stands for each part of it. */
export function toFinerStep(watts: (number | null)[], step: number, to: number): (number | null)[] {
  const times = step / to
  return times === 1 ? watts : watts.flatMap((value) => Array.from({ length: times }, () => value))
}

/** A step that divides both: they are all among 5, 10, 15, 30 and 60 minutes. */
export const getGreatestCommonStep = (a: number, b: number): number => (b === 0 ? a : getGreatestCommonStep(b, a % b))

type StepChange = { at: number; before: number | null; after: number | null }

/** Where two versions of a day do not say the same, step by step of the finer of the two. */
export function compareVersions(before: CurveVersion, after: CurveVersion) {
  const step = getGreatestCommonStep(before.step, after.step)
  const [old, now] = [toFinerStep(before.watts, before.step, step), toFinerStep(after.watts, after.step, step)]
  const changes = now.flatMap((value, at): StepChange[] =>
    value === (old[at] ?? null) ? [] : [{ at, before: old[at] ?? null, after: value }],
  )
  return { step, old, now, changes, wh: after.energyWh - before.energyWh }
}
