import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SuspendedNotice } from '../../../ui/suspended.tsx'
import { Lines, linesOf } from './month-figures.tsx'
import { MonthHero } from './month-hero.tsx'
import type { Mine } from './my-points.ts'
import { Savings } from './savings.tsx'
import { type Month, useMonthSummary } from './use-month.ts'
import { WhyLink } from './why-link.tsx'

export function ThisMonth({ mine, month }: { mine: Mine; month: Month }) {
  const { data, error, refetch } = useMonthSummary(mine, month)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  return (
    <>
      <SuspendedNotice suspended={data.suspended} mine />
      <MonthHero summary={data} mine={mine} month={month} />
      <WhyLink mine={mine} month={month} />
      <Lines lines={linesOf(data, mine)} label="Chiffres du mois" />
      {mine.side === 'consumption' && mine.valued && !mine.battery && (
        <Savings totals={data.current} when={month.when} />
      )}
    </>
  )
}
