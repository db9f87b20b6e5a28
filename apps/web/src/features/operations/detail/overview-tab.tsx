import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { type Operation, type OperationOverview as OverviewSchema, operations } from '@voisol/contract/operations'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Can, withAccess } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { getTodayInParis, parsePeriod } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { KeyCard } from './key-card.tsx'
import { MonthFigures } from './month-figures.tsx'
import { StatusChangeDialog } from './move-dialog.tsx'
import { STATUS_CHANGES } from './moves.ts'
import { NextSteps } from './next-steps.tsx'
import { PerimeterCard } from './perimeter-card.tsx'
import { ReconciliationCard } from './reconciliation-card.tsx'

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
