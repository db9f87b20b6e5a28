import { useQueries } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { withDe } from '@voisol/contract/elision'
import { type EnergySeries, energy } from '@voisol/contract/energy'
import type { Operation } from '@voisol/contract/operations'
import type { Point } from '@voisol/contract/points'
import { daysBetween } from '@voisol/energy/calendar'
import ListFilter from 'lucide-react/icons/list-filter'
import X from 'lucide-react/icons/x'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import type { ExplorerSeries } from '../../../components/curve-explorer/explorer-model.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { cutAtNow, toEpochMinute } from '../../../components/energy-explorer/columns.ts'
import { EnergyExplorer } from '../../../components/energy-explorer/energy-explorer.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { usePeriod } from '../../../components/period/period.ts'
import { PeriodBar } from '../../../components/period/period-bar.tsx'
import { formatPeriodLabel } from '../../../components/period/period-labels.ts'
import { Popover } from '../../../components/popover.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatPointName, formatPrm, getMeterSideLabel } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { createPointMatcher } from './labels.ts'
import { LazyCurveExplorer } from './lazy-curve.tsx'
import { usePoints } from './queries.ts'
import { useCurveTabLink } from './tab-link.ts'

const POINTS_PARAM = 'points'

const ImportLink = withAccess(curves.upload, () => (
  <ButtonLink variant="secondary" to={useCurveTabLink()('imports')}>
    Importer des courbes
  </ButtonLink>
))

const NoReadings = () => (
  <EmptyState
    title="Aucune donnée sur cette période"
    why="Aucun relevé n’a été reçu pour ces jours. Choisissez une autre période."
    action={<ImportLink />}
  />
)

/** The whole operation, one point, or a few points side by side; the choice is in the address. */
export default function CurvesTab({ operation }: { operation: Operation }) {
  const { data } = usePoints(operation.id)
  const companyId = useSession().user?.companyId ?? ''
  const [search, setSearch] = useSearchParams()
  const points = data?.items ?? []
  const requestedIds = (search.get(POINTS_PARAM) ?? '').split(',')
  const chosen = points.filter(({ id }) => requestedIds.includes(id))
  const choose = (ids: string[]) =>
    setSearch(
      (old) => {
        if (ids.length > 0) old.set(POINTS_PARAM, ids.join(','))
        else old.delete(POINTS_PARAM)
        return old
      },
      { preventScrollReset: true },
    )
  const [one] = chosen
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PointPicker
        points={points}
        chosen={chosen}
        onChange={choose}
        pathOf={({ id }) => `/companies/${companyId}/operations/${operation.id}/load-curves/${id}`}
      />
      {chosen.length > 1 || one?.direction === 'production' ? (
        <ComparePoints points={chosen} />
      ) : (
        <EnergyExplorer
          key={one?.id}
          title={one ? `Courbe ${withDe(formatPointName(one))}` : `Courbes ${withDe(operation.name)}`}
          where={{ operationId: operation.id, ...(one && { pointId: one.id }) }}
          unitPrice={operation.unitPrice}
          empty={<NoReadings />}
        />
      )}
    </div>
  )
}

const MAX_QUARTER_HOUR_DAYS = 31

/** The same moments for a few points, one line each. */
function ComparePoints({ points }: { points: Point[] }) {
  const [period, setPeriod] = usePeriod('month')
  const { from, to } = period
  const granularity = daysBetween(from, to) <= MAX_QUARTER_HOUR_DAYS ? ('15min' as const) : ('hour' as const)
  const { found, error, retry } = useQueries({
    queries: points.map(({ id }) => query(energy.series, { query: { from, to, pointId: id, granularity } })),
    combine: (results) => ({
      found: results.map(({ data }) => data),
      error: results.find((one) => one.error)?.error,
      retry: () => Promise.all(results.map((one) => one.refetch())),
    }),
  })
  const chartData = useMemo(() => {
    const known = found.flatMap((one) => (one ? [one] : []))
    const [first] = known
    if (!first || known.length < points.length) return null
    const starts = cutAtNow(first).starts
    return {
      series: buildComparisonSeries(points, known, starts.length),
      startsAt: toEpochMinute(starts[0] ?? first.starts[0] ?? ''),
      step: first.step ?? 60,
    }
  }, [found, points])
  return (
    <>
      <PeriodBar period={period} onChange={setPeriod} />
      <Card>
        {error && <ErrorState error={error} onRetry={retry} />}
        {!chartData && !error && <Skeleton className="h-96 w-full" />}
        {chartData && (
          <LazyCurveExplorer
            title={points[1] ? 'Points comparés' : `Courbe ${withDe(points[0] ? formatPointName(points[0]) : '')}`}
            {...chartData}
            label={formatPeriodLabel(period)}
          />
        )}
      </Card>
    </>
  )
}

type PickerProps = { points: Point[]; chosen: Point[]; onChange: (ids: string[]) => void }

const VISIBLE_POINTS = 60

function PickerList({ points, chosen, onChange }: PickerProps) {
  const [text, setText] = useState('')
  const matches = createPointMatcher(text)
  const matchingPoints = points.filter((point) => matches(`${point.label} ${point.participantName}`, point.prm))
  // The address follows a moment later: what was ticked shows at once.
  const [ids, setIds] = useState(() => chosen.map(({ id }) => id))
  const change = (next: string[]) => {
    setIds(next)
    onChange(next)
  }
  const full = ids.length >= MAX_COMPARED_POINTS
  return (
    <div className="grid gap-3">
      <SearchBox label="Rechercher un point" value={text} onSearch={setText} />
      <ul aria-label="Points de l’opération" className="grid max-h-72 gap-2.5 overflow-y-auto py-1">
        {matchingPoints.slice(0, VISIBLE_POINTS).map((point) => (
          <li key={point.id}>
            <Checkbox
              label={formatPointName(point)}
              hint={`${getMeterSideLabel(point)} · ${formatPrm(point.prm)}`}
              checked={ids.includes(point.id)}
              disabled={full && !ids.includes(point.id)}
              onChange={(event) =>
                change(event.target.checked ? [...ids, point.id] : ids.filter((id) => id !== point.id))
              }
            />
          </li>
        ))}
      </ul>
      <p className="text-[0.8125rem] text-ink-soft">
        {matchingPoints.length === 0 && 'Aucun point ne correspond.'}
        {matchingPoints.length > VISIBLE_POINTS &&
          `${formatCount(matchingPoints.length - VISIBLE_POINTS, 'autre point', 'autres points')}\u00a0: précisez la recherche. `}
        {matchingPoints.length > 0 && `Jusqu’à ${MAX_COMPARED_POINTS} points à la fois.`}
      </p>
    </div>
  )
}

/** What is drawn: all of the operation until points are chosen. */
function PointPicker({ pathOf, ...props }: PickerProps & { pathOf: (point: Point) => string }) {
  const { chosen, onChange } = props
  const removePoint = (id: string) => onChange(chosen.filter((one) => one.id !== id).map((one) => one.id))
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-2">
      <Popover
        label="Choisir des points"
        align="start"
        className="z-50 w-80 max-w-[calc(100vw-2rem)] rounded-control p-4"
        trigger={
          <Button variant="secondary" icon={<ListFilter aria-hidden="true" />}>
            Choisir des points
          </Button>
        }
      >
        {() => <PickerList {...props} />}
      </Popover>
      {chosen.length === 0 && <span className="text-body text-ink-soft">Toute l’opération est affichée.</span>}
      {chosen.map((point) => (
        <span
          key={point.id}
          className="inline-flex min-h-8 items-center gap-1 rounded-full border border-line-strong bg-card pr-1 pl-3 text-[0.8125rem]"
        >
          <Link to={pathOf(point)} className="font-medium text-link">
            {formatPointName(point)}
          </Link>
          <button
            type="button"
            aria-label={`Retirer ${formatPointName(point)}`}
            onClick={() => removePoint(point.id)}
            className="grid size-6 place-items-center rounded-full text-ink-soft hover:bg-ink/5 hover:text-ink"
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </span>
      ))}
      {chosen.length > 0 && (
        <Button variant="quiet" size="small" onClick={() => onChange([])}>
          Toute l’opération
        </Button>
      )}
    </div>
  )
}

/** A point that draws is night blue and a plant amber, as everywhere; the others of a kind are dark enough to be told apart. */
const FIRST_COLORS = { consumption: '#1E3A8A', production: '#B45309' }
const OTHER_COLORS = ['#0F766E', '#7C3AED', '#BE185D', '#0369A1', '#475569']
const MAX_COMPARED_POINTS = OTHER_COLORS.length + 1

function assignColors(points: Point[]) {
  const left = [...OTHER_COLORS]
  return points.map(({ direction }, at) =>
    points.findIndex((point) => point.direction === direction) === at ? FIRST_COLORS[direction] : left.shift(),
  )
}

/** One line per point, in watts: what it drew or what it injected. */
function buildComparisonSeries(points: Point[], data: EnergySeries[], length: number): ExplorerSeries[] {
  const hues = assignColors(points)
  return points.flatMap((point, at): ExplorerSeries[] => {
    const one = data[at]
    if (!one) return []
    const column = point.direction === 'production' ? one.produced : one.consumed
    const watts = column.slice(0, length).map((wh) => (wh === null ? null : (wh * 60) / (one.step ?? 60)))
    const role = point.direction
    return [{ key: point.id, label: formatPointName(point), role, color: hues[at], values: watts, quality: one.marks }]
  })
}
