import { getSideTexts } from '@voisol/contract/side-words'
import { lazy, Suspense } from 'react'
import { useScreenTitle } from '../../../lib/subject.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SuspendedNotice } from '../../../ui/suspended.tsx'
import { CompareRates } from './compare-rates.tsx'
import { PortalEnergyExplorer } from './explorer.tsx'
import { getLocalPrice } from './figures.ts'
import { buildFigureLines, FigureLines } from './month-figures.tsx'
import { type MyPoints, type Side, selectOwnSide } from './my-points.ts'
import { NoReading } from './nothing.tsx'
import { PortalPage } from './page.tsx'
import { PortalPointChoice, useChosenPoint } from './point-choice.tsx'
import { SideHeadline } from './side-headline.tsx'
import { getRangeSinceEntry, useSummarySinceEntry } from './since.ts'
import { WhyLink } from './why-link.tsx'

// Under everything else, and of producers alone.
const PlantEconomies = lazy(() => import('../../../ui/plant-economy/plant-economy.tsx'))

type SideScreenProps = { side: Side; mine: MyPoints }

/** One side of somebody's energy, through time. */
export function SideScreen({ side, mine: points }: SideScreenProps) {
  const [chosen, choose] = useChosenPoint()
  const mine = selectOwnSide(points.all, side, chosen)
  const { title, description } = getSideTexts(mine)
  useScreenTitle(mine.battery ? title : undefined)
  return (
    <PortalPage title={title} description={description} actions={<PortalPointChoice mine={mine} onChoose={choose} />}>
      {points.lastDay === null ? (
        <NoReading />
      ) : (
        <EnergyOverTime mine={mine} since={points.since} lastDay={points.lastDay} />
      )}
    </PortalPage>
  )
}

type EnergyOverTimeProps = {
  mine: ReturnType<typeof selectOwnSide>
  since: string | null
  lastDay: string
}

function EnergyOverTime({ mine, since, lastDay }: EnergyOverTimeProps) {
  const { side } = mine
  const { data } = useSummarySinceEntry(mine, getRangeSinceEntry(since, lastDay))
  const unitPrice = mine.valued && data ? getLocalPrice(data.current, side) : null
  return (
    <PortalEnergyExplorer
      title={getSideTexts(mine).chart}
      mine={mine}
      unitPrice={unitPrice}
      since={since}
      lastDay={lastDay}
      above={(summary) => (
        <>
          <SuspendedNotice suspended={summary.suspended} mine />
          <SideHeadline summary={summary} mine={mine} />
          <WhyLink mine={mine} from={summary.from} />
          <FigureLines lines={buildFigureLines(summary, mine)} label="Chiffres de la période" />
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
