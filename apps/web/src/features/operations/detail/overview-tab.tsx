import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { type Operation, type Overview as OverviewSchema, operations } from '@voisol/contract/operations'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Can, only } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { parsePeriod, todayInParis } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { KeyCard } from './key-card.tsx'
import { MonthFigures } from './month-figures.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { MOVES } from './moves.ts'
import { NextSteps } from './next-steps.tsx'
import { PerimeterCard } from './perimeter-card.tsx'
import { ReconciliationCard } from './reconciliation-card.tsx'

const MonthChart = lazy(async () => ({ default: (await import('./month-chart.tsx')).MonthChart }))

type Overview = z.output<typeof OverviewSchema>

/** All is ready: one press from here, as from the menu above. */
const StartButton = only(operations.move, ({ operation, overview }: { operation: Operation; overview: Overview }) => {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Button size="small" className="mt-4" onClick={() => setAsked(true)}>
        {MOVES.active.action}
      </Button>
      {asked && <MoveDialog operation={operation} overview={overview} to="active" onClose={() => setAsked(false)} />}
    </>
  )
})

function NextStepsCard({ operation }: { operation: Operation }) {
  const { data, error, refetch } = useQuery(query(operations.overview, { params: { id: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.nextSteps.length === 0) return null
  const left = data.nextSteps.filter(({ done }) => !done).length
  return (
    <Card
      title="Prochaines étapes"
      description={
        left > 0 ? 'Ce qu’il reste à faire avant la mise en service.' : 'Tout est prêt pour la mise en service.'
      }
    >
      <NextSteps steps={data.nextSteps} />
      {left === 0 && data.transitions.includes('active') && <StartButton operation={operation} overview={data} />}
    </Card>
  )
}

/** The days one came to look at; without any, the month so far. */
function useDays(): Days {
  const [search] = useSearchParams()
  const asked = parsePeriod(search.get('unit'), search.get('from'), search.get('to'))
  const today = todayInParis()
  if (!asked || asked.from >= today) return monthSoFar(today)
  return { from: asked.from, to: asked.to < today ? asked.to : today }
}

/** Whole days only: today's readings come tomorrow. On the first of a month, the month before. */
const monthSoFar = (today: string) => {
  const month = monthOf(today)
  return { from: month < today ? month : addMonths(month, -1), to: today }
}

type Days = { from: string; to: string }
const useMonth = (operation: Operation, days: Days) =>
  useQuery(query(energy.summary, { query: { operationId: operation.id, ...days } }))

const Figures = only(energy.summary, ({ operation, days }: { operation: Operation; days: Days }) => (
  <MonthFigures summary={useMonth(operation, days)} days={days} />
))

function Chart({ operation, days }: { operation: Operation; days: Days }) {
  const { data } = useMonth(operation, days)
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
  const days = useDays()
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
      <Figures operation={operation} days={days} />
      <Can
        call={energy.series}
        otherwise={<div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">{cards}</div>}
      >
        <div className="grid gap-6 lg:grid-cols-3 [&>*]:min-w-0">
          <Chart operation={operation} days={days} />
          <div className="grid content-start gap-6 [&>*]:min-w-0">{cards}</div>
        </div>
      </Can>
    </div>
  )
}
