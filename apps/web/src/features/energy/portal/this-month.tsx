import { describeMonth } from '@voisol/contract/month-words'
import { useEffect } from 'react'
import { storeOfflineFigures } from '../../../lib/last-figures.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SuspendedNotice } from '../../../ui/suspended.tsx'
import { buildFigureLines, FigureLines } from './month-figures.tsx'
import { MonthHeadline } from './month-hero.tsx'
import type { OwnSide } from './my-points.ts'
import { computeSaving } from './savings.ts'
import { Savings } from './savings.tsx'
import { useSupplierPrice } from './supplier-price.ts'
import { formatReceivedUntilSentence, type ReadingMonth, useMonthSummary } from './use-month.ts'
import { WhyLink } from './why-link.tsx'

export function ThisMonth({ mine, month }: { mine: OwnSide; month: ReadingMonth }) {
  const { data, error, refetch } = useMonthSummary(mine, month)
  const [supplier, keep] = useSupplierPrice()
  const priced = mine.side === 'consumption' && mine.valued && !mine.battery
  const saving = data && priced ? computeSaving(data.current, supplier) : null
  useEffect(() => {
    if (!data) return
    const sentence = describeMonth(data, mine, month, saving?.cents)
    storeOfflineFigures({ sentence, note: formatReceivedUntilSentence(month), lines: buildFigureLines(data, mine) })
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  return (
    <>
      <SuspendedNotice suspended={data.suspended} mine />
      <MonthHeadline summary={data} mine={mine} month={month} saved={saving?.cents} />
      <WhyLink mine={mine} from={month.days.from} />
      <FigureLines lines={buildFigureLines(data, mine)} label="Chiffres du mois" />
      {priced && <Savings totals={data.current} saving={saving} supplier={supplier} onKeep={keep} />}
    </>
  )
}
