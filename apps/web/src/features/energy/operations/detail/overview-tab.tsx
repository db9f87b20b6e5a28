import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type EnergySummary, energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { type Operation, type OperationOverview as OverviewSchema, operations } from '@voisol/contract/operations'
import { reconciliation } from '@voisol/contract/reconciliation'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { PERIMETER_RULES as RULES } from '@voisol/energy/perimeter'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Badge, type Tone } from '../../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { EnergyTiles } from '../../../../components/energy-figures/energy-tiles.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { CheckFindingList } from '../../../../components/issue-list.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { getTodayInParis, parsePeriod } from '../../../../components/period/period.ts'
import { formatDayRange, formatMonthYear } from '../../../../components/period/period-labels.ts'
import { Can, withAccess } from '../../../../lib/can.tsx'
import { VERDICT_LABELS } from '../../../../lib/distributor-labels.ts'
import { ALLOCATION_METHOD_LABELS, PERIMETER_LABELS } from '../../../../lib/energy-labels.ts'
import { formatDate } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import { NextSteps, STATUS_CHANGES, StatusChangeDialog } from './status-change.tsx'

const MonthChart = lazy(async () => ({ default: (await import('./month-chart.tsx')).MonthChart }))

type Overview = z.output<typeof OverviewSchema>

/** All is ready: one press from here, as from the menu above. */
const StartButton = withAccess(
  operations.move,
  ({ operation, overview }: { operation: Operation; overview: Overview }) => {
    const [isOpen, setIsOpen] = useState(false)
    return (
      <>
        <Button size="small" className="mt-4" onClick={() => setIsOpen(true)}>
          {STATUS_CHANGES.active.action}
        </Button>
        {isOpen && (
          <StatusChangeDialog operation={operation} overview={overview} to="active" onClose={() => setIsOpen(false)} />
        )}
      </>
    )
  },
)

function NextStepsCard({ operation }: { operation: Operation }) {
  const { data, error, refetch } = useQuery(query(operations.overview, { params: { id: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.nextSteps.length === 0) return null
  const remainingSteps = data.nextSteps.filter(({ done }) => !done).length
  return (
    <Card
      title="Prochaines étapes"
      description={
        remainingSteps > 0
          ? 'Ce qu’il reste à faire avant la mise en service.'
          : 'Tout est prêt pour la mise en service.'
      }
    >
      <NextSteps steps={data.nextSteps} />
      {remainingSteps === 0 && data.transitions.includes('active') && (
        <StartButton operation={operation} overview={data} />
      )}
    </Card>
  )
}

/** The days one came to look at; without any, the month so far. */
function useOverviewDays(): DayRange {
  const [search] = useSearchParams()
  const requestedPeriod = parsePeriod(search.get('unit'), search.get('from'), search.get('to'))
  const today = getTodayInParis()
  if (!requestedPeriod || requestedPeriod.from >= today) return getMonthSoFar(today)
  return { from: requestedPeriod.from, to: requestedPeriod.to < today ? requestedPeriod.to : today }
}

/** Whole days only: today's readings come tomorrow. On the first of a month, the month before. */
const getMonthSoFar = (today: string) => {
  const month = monthOf(today)
  return { from: month < today ? month : addMonths(month, -1), to: today }
}

type DayRange = { from: string; to: string }
const useEnergySummary = (operation: Operation, days: DayRange) =>
  useQuery(query(energy.summary, { query: { operationId: operation.id, ...days } }))

const MonthFiguresSection = withAccess(
  energy.summary,
  ({ operation, days }: { operation: Operation; days: DayRange }) => (
    <MonthFigures summary={useEnergySummary(operation, days)} days={days} />
  ),
)

function MonthChartSection({ operation, days }: { operation: Operation; days: DayRange }) {
  const { data } = useEnergySummary(operation, days)
  return (
    <div className="grid content-start gap-6 lg:col-span-2 [&>*]:min-w-0">
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <MonthChart operationId={operation.id} days={days} until={data?.receivedUntil ?? null} />
      </Suspense>
    </div>
  )
}

/** How the month stands, what holds today, and what is left to do. */
export default function OverviewTab({ operation }: { operation: Operation }) {
  const days = useOverviewDays()
  const cards = (
    <>
      <NextStepsCard operation={operation} />
      <KeyCard operation={operation} />
      <ReconciliationCard operation={operation} />
      <PerimeterCard operation={operation} />
    </>
  )
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <MonthFiguresSection operation={operation} days={days} />
      <Can
        call={energy.series}
        otherwise={<div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">{cards}</div>}
      >
        <div className="grid gap-6 lg:grid-cols-3 [&>*]:min-w-0">
          <MonthChartSection operation={operation} days={days} />
          <div className="grid content-start gap-6 [&>*]:min-w-0">{cards}</div>
        </div>
      </Can>
    </div>
  )
}

/** Whether our figures and the distributor's agree, for the last month it gave any. */
const ReconciliationCard = withAccess(reconciliation.months, ({ operation }: { operation: Operation }) => {
  const { data } = useQuery(query(operations.overview, { params: { id: operation.id } }))
  if (!data?.reconciliation) return null
  const { month, verdict } = data.reconciliation
  return (
    <Card title="Rapprochement avec Enedis" description={`Pour ${formatMonthYear(month)}.`}>
      <Badge tone={VERDICT_LABELS[verdict].tone}>{VERDICT_LABELS[verdict].label}</Badge>
      <div className="mt-4">
        <ButtonLink variant="secondary" size="small" to="?onglet=distributeur">
          Voir le rapprochement
        </ButtonLink>
      </div>
    </Card>
  )
})

const SHOWN_FIGURES = ['produced', 'shared', 'surplus', 'selfConsumption', 'selfProduction', 'co2'] as const

type MonthFiguresProps = { summary: UseQueryResult<EnergySummary>; days: { from: string; to: string } }

/** The month so far: one that is not over is not held against a whole one. */
function MonthFigures({ summary: { data, error, refetch }, days: { from, to } }: MonthFiguresProps) {
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  if (data.steps.received === 0) return null
  return (
    <section aria-label="Chiffres du mois" className="grid gap-3">
      <h2 className="text-body font-semibold">
        {from >= monthOf(getTodayInParis()) ? 'Ce mois-ci' : 'Sur la période'}
        <span className="font-normal text-ink-soft">, {formatDayRange(from, addDays(to, -1))}</span>
      </h2>
      <EnergyTiles
        summary={data}
        shown={SHOWN_FIGURES}
        before="la période précédente"
        className="sm:grid-cols-2 lg:grid-cols-3"
      />
    </section>
  )
}

const toNoon = (day: string) => `${day}T12:00:00Z`

/** The rule energy is shared by today, in one sentence. */
const KeyCard = withAccess(keys.list, ({ operation }: { operation: Operation }) => {
  const { data, error, refetch } = useQuery(query(keys.list, { params: { id: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  const current = data.items.find(({ inForce }) => inForce)
  return (
    <Card title="Clé de répartition">
      {current ? (
        <div className="grid gap-1 text-body">
          <p className="font-medium">{ALLOCATION_METHOD_LABELS[current.method].label}</p>
          <p className="text-ink-soft">{ALLOCATION_METHOD_LABELS[current.method].meaning}</p>
          <p className="mt-1 text-[0.8125rem] text-ink-soft">
            Version {current.number}, en vigueur depuis le {formatDate(toNoon(current.startsOn))}
            {current.endsOn && `, jusqu’au ${formatDate(toNoon(current.endsOn))} exclu`}.
          </p>
        </div>
      ) : (
        <p className="text-body text-ink-soft">Aucune clé n’est en vigueur aujourd’hui.</p>
      )}
      <ButtonLink
        variant="secondary"
        size="small"
        className="mt-4"
        to={`/acc-operations/${operation.id}/energy-distribution`}
      >
        Ouvrir la répartition
      </ButtonLink>
    </Card>
  )
})

const PerimeterPlaces = lazy(async () => ({ default: (await import('./perimeter-places.tsx')).PerimeterPlaces }))

const PERIMETER_VERDICTS: Record<'fine' | 'unsure' | 'refused', { label: string; tone: Tone }> = {
  fine: { label: 'Conforme', tone: 'success' },
  unsure: { label: 'À vérifier', tone: 'warning' },
  refused: { label: 'Non conforme', tone: 'danger' },
}

function PerimeterCard({ operation }: { operation: Operation }) {
  const { data, error, refetch } = useQuery(query(operations.overview, { params: { id: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-72 w-full" />
  const { label, tone } = PERIMETER_VERDICTS[data.verdict]
  const pointCount = data.places.length + data.unplaced.length
  return (
    <Card
      title="Périmètre et puissance"
      description={PERIMETER_LABELS[operation.perimeter]}
      actions={pointCount > 0 && <Badge tone={tone}>{label}</Badge>}
    >
      <div className="grid gap-5 [&>*]:min-w-0">
        <CheckFindingList findings={data.findings} fine="Les règles de distance et de puissance sont respectées." />
        {pointCount > 0 &&
          (data.places.length > 1 || data.unplaced.length > 0) &&
          RULES[operation.perimeter].km !== null && (
            <Suspense fallback={<Skeleton className="h-72 w-full" />}>
              <PerimeterPlaces operation={operation} places={data.places} unplaced={data.unplaced} />
            </Suspense>
          )}
      </div>
    </Card>
  )
}
