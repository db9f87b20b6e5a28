import { useQuery } from '@tanstack/react-query'
import { notifications } from '@voisol/contract/notifications'
import { type ReactNode, Suspense } from 'react'
import { plural } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { lazy } from '../../../ui/lazy.tsx'
import { Link } from '../../../ui/link.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ConsentsFirst } from './consents-first.tsx'
import { WithPoints } from './loading.tsx'
import { type MyPoints, mineOf } from './my-points.ts'
import { NoPoint, NoReading } from './nothing.tsx'
import { monthOfLast } from './use-month.ts'

// On its way while the meters are asked for; what is under it comes after.
const thisMonth = import('./this-month.tsx')
const ThisMonth = lazy(async () => ({ default: (await thisMonth).ThisMonth }))
const DayChart = lazy(async () => ({ default: (await import('./day-chart.tsx')).DayChart }))
const OtherSide = lazy(async () => ({ default: (await import('./other-side.tsx')).OtherSide }))
const Stay = lazy(async () => ({ default: (await import('./stay.tsx')).Stay }))
const HomeMore = lazy(async () => ({ default: (await import('./home-more.tsx')).HomeMore }))

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

function Energy({ all, consumes, produces, lastDay }: MyPoints) {
  if (all.length === 0) return <NoPoint />
  const moving = (
    <Suspense fallback={null}>
      <Stay all={all} />
    </Suspense>
  )
  if (lastDay === null)
    return (
      <>
        {moving}
        <NoReading />
      </>
    )
  const month = monthOfLast(lastDay)
  const mine = mineOf(all, consumes ? 'consumption' : 'production')
  return (
    <>
      {moving}
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <ThisMonth mine={mine} month={month} />
      </Suspense>
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        {consumes && produces && <OtherSide mine={mineOf(all, 'production')} month={month} />}
        <DayChart mine={mine} month={month} />
      </Suspense>
    </>
  )
}

/** For somebody with no time: how am I doing, one picture, what is new, when to run the machine, what was written to me. */
export default function PortalHome({ children }: { children?: ReactNode }) {
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Greeting />
      <ConsentsFirst>
        <WithPoints>{(mine) => <Energy {...mine} />}</WithPoints>
        {children}
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <HomeMore />
        </Suspense>
      </ConsentsFirst>
    </div>
  )
}
