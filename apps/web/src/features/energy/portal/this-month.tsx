import { monthSentence } from '@voisol/contract/month-words'
import { useEffect } from 'react'
import { keepFigures } from '../../../lib/last-figures.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SuspendedNotice } from '../../../ui/suspended.tsx'
import { Lines, linesOf } from './month-figures.tsx'
import { MonthHero } from './month-hero.tsx'
import type { Mine } from './my-points.ts'
import { savingOf } from './savings.ts'
import { Savings } from './savings.tsx'
import { useSupplierPrice } from './supplier-price.ts'
import { type Month, untilWords, useMonthSummary } from './use-month.ts'
import { WhyLink } from './why-link.tsx'

export function ThisMonth({ mine, month }: { mine: Mine; month: Month }) {
  const { data, error, refetch } = useMonthSummary(mine, month)
  const [supplier, keep] = useSupplierPrice()
  const priced = mine.side === 'consumption' && mine.valued && !mine.battery
  const saving = data && priced ? savingOf(data.current, supplier) : null
  useEffect(() => {
    if (!data) return
    const sentence = monthSentence(data, mine, month, saving?.cents)
    keepFigures({ sentence, note: untilWords(month), lines: linesOf(data, mine) })
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  return (
    <>
      <SuspendedNotice suspended={data.suspended} mine />
      <MonthHero summary={data} mine={mine} month={month} saved={saving?.cents} />
      <WhyLink mine={mine} from={month.days.from} />
      <Lines lines={linesOf(data, mine)} label="Chiffres du mois" />
      {priced && <Savings totals={data.current} saving={saving} supplier={supplier} onKeep={keep} />}
    </>
  )
}
