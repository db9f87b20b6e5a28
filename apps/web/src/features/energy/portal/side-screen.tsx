import { wordsOf } from '@voisol/contract/side-words'
import { lazy, Suspense } from 'react'
import { useOwnTitle } from '../../../lib/subject.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SuspendedNotice } from '../../../ui/suspended.tsx'
import { CompareRates } from './compare-rates.tsx'
import { Explorer } from './explorer.tsx'
import { priceOf } from './figures.ts'
import { Lines, linesOf } from './month-figures.tsx'
import { type MyPoints, mineOf, type Side } from './my-points.ts'
import { NoReading } from './nothing.tsx'
import { PortalPage } from './page.tsx'
import { PointChoice, useChosenPoint } from './point-choice.tsx'
import { SideHeadline } from './side-headline.tsx'
import { spanOf, useSince } from './since.ts'
import { WhyLink } from './why-link.tsx'

// Under everything else, and of producers alone.
const PlantEconomies = lazy(() => import('../../../ui/plant-economy/plant-economy.tsx'))

type SideScreenProps = { side: Side; mine: MyPoints }

/** One side of somebody's energy, through time. */
export function SideScreen({ side, mine: points }: SideScreenProps) {
  const [chosen, choose] = useChosenPoint()
  const mine = mineOf(points.all, side, chosen)
  const { title, description } = wordsOf(mine)
  useOwnTitle(mine.battery ? title : undefined)
  return (
    <PortalPage title={title} description={description} actions={<PointChoice mine={mine} onChoose={choose} />}>
      {points.lastDay === null ? <NoReading /> : <Through mine={mine} since={points.since} lastDay={points.lastDay} />}
    </PortalPage>
  )
}

type ThroughProps = {
  mine: ReturnType<typeof mineOf>
  since: string | null
  lastDay: string
}

function Through({ mine, since, lastDay }: ThroughProps) {
  const { side } = mine
  const { data } = useSince(mine, spanOf(since, lastDay))
  const unitPrice = mine.valued && data ? priceOf(data.current, side) : null
  return (
    <Explorer
      title={wordsOf(mine).chart}
      mine={mine}
      unitPrice={unitPrice}
      since={since}
      lastDay={lastDay}
      above={(summary) => (
        <>
          <SuspendedNotice suspended={summary.suspended} mine />
          <SideHeadline summary={summary} mine={mine} />
          <WhyLink mine={mine} from={summary.from} />
          <Lines lines={linesOf(summary, mine)} label="Chiffres de la période" />
        </>
      )}
      under={(summary, period) => (
        <>
          <CompareRates summary={summary} mine={mine} period={period} />
          {side === 'production' && !mine.battery && (
            <Suspense fallback={<Skeleton className="h-64 w-full" />}>
              <PlantEconomies where={{ from: period.from, to: period.to }} />
            </Suspense>
          )}
        </>
      )}
    />
  )
}
