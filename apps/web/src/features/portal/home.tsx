import { useQuery } from '@tanstack/react-query'
import { notifications } from '@voisol/contract/notifications'
import { Link } from 'react-router'
import { plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BestHours } from './best-hours.tsx'
import { DayChart } from './day-chart.tsx'
import { WithPoints } from './loading.tsx'
import { Messages } from './messages.tsx'
import { Lines, linesOf } from './month-figures.tsx'
import { MonthHero } from './month-hero.tsx'
import { type Mine, type MyPoints, mineOf } from './my-points.ts'
import { NoPoint, NoReading } from './nothing.tsx'
import { OtherSide } from './other-side.tsx'
import { type Month, monthOfLast, useMonthSummary } from './use-month.ts'

function Greeting() {
  const { user } = useSession()
  const { data } = useQuery(query(notifications.unreadCount, {}))
  const unread = data?.unreadCount ?? 0
  return (
    <header>
      <h1 className="text-3xl font-semibold">Bonjour {user?.firstName}</h1>
      <p className="mt-1 text-lg text-ink-soft">
        Vous êtes chez {user?.companyName}.{' '}
        {unread > 0 ? (
          <Link to="/client-portal/notifications" className="text-link">
            {plural(unread, 'message non lu', 'messages non lus')}
          </Link>
        ) : (
          'Vous avez tout lu.'
        )}
      </p>
    </header>
  )
}

function ThisMonth({ mine, month }: { mine: Mine; month: Month }) {
  const { data, error, refetch } = useMonthSummary(mine, month)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  return (
    <>
      <MonthHero summary={data} side={mine.side} month={month} />
      <Lines lines={linesOf(data, mine)} label="Chiffres du mois" />
    </>
  )
}

function Energy({ all, consumes, produces, lastDay }: MyPoints) {
  if (all.length === 0) return <NoPoint />
  if (lastDay === null) return <NoReading />
  const month = monthOfLast(lastDay)
  const mine = mineOf(all, consumes ? 'consumption' : 'production')
  return (
    <>
      <ThisMonth mine={mine} month={month} />
      {consumes && produces && <OtherSide mine={mineOf(all, 'production')} month={month} />}
      <DayChart mine={mine} month={month} />
    </>
  )
}

/** For somebody with no time: how am I doing, one picture, when to run the machine, what was written to me. */
export default function PortalHome() {
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Greeting />
      <WithPoints>{(mine) => <Energy {...mine} />}</WithPoints>
      <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
        <BestHours />
        <Messages />
      </div>
    </div>
  )
}
