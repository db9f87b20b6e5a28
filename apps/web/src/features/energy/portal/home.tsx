import { useQuery } from '@tanstack/react-query'
import { firstOf } from '@voisol/contract/my-side'
import { notifications } from '@voisol/contract/notifications'
import { type PortalBlock, portalManagement } from '@voisol/contract/portal-management'
import { Fragment, type ReactNode, Suspense } from 'react'
import { plural } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { lazy } from '../../../ui/lazy.tsx'
import { Link } from '../../../ui/link.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ConsentsFirst } from './consents-first.tsx'
import { groupsOf } from './home-groups.ts'
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

function Unread() {
  const { data } = useQuery(query(notifications.unreadCount, {}))
  const unread = data?.unreadCount ?? 0
  if (unread === 0) return 'Vous avez tout lu.'
  return (
    <Link to="/client-portal/notifications" className="text-link">
      {plural(unread, 'message non lu', 'messages non lus')}
    </Link>
  )
}

function Greeting({ welcome }: { welcome: string | undefined }) {
  const { user } = useSession()
  return (
    <header>
      <h1 className="text-3xl font-semibold">Bonjour {user?.firstName}</h1>
      <p className="mt-1 text-lg text-ink-soft">
        Vous êtes chez {user?.companyName}. {!user?.viewing && <Unread />}
      </p>
      {welcome && (
        <p className="prose-width mt-3 wrap-anywhere whitespace-pre-line">
          <bdi>{welcome}</bdi>
        </p>
      )}
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
  const mine = firstOf(all)
  return (
    <>
      {moving}
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <ThisMonth mine={mine} month={month} />
        {consumes && produces && <OtherSide mine={mineOf(all, 'production')} month={month} />}
      </Suspense>
    </>
  )
}

/** The last day that was measured; nothing before the first one. */
function Chart({ all, lastDay }: MyPoints) {
  if (all.length === 0 || lastDay === null) return null
  const mine = firstOf(all)
  return (
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <DayChart mine={mine} month={monthOfLast(lastDay)} />
    </Suspense>
  )
}

type Parts = { news: ReactNode; messages: ReactNode }

/** As the organiser ordered them: what is wide stands alone, the cards between share the width. */
function Blocks({ blocks, news, messages }: Parts & { blocks: PortalBlock[] }) {
  return groupsOf(blocks).map((keys) => {
    const [first] = keys
    if (first === 'chart') return <WithPoints key={first}>{(mine) => <Chart {...mine} />}</WithPoints>
    if (first === 'news') return <Fragment key={first}>{news}</Fragment>
    return (
      <Suspense key={keys.join()} fallback={<Skeleton className="h-64 w-full" />}>
        <HomeMore keys={keys} messages={messages} />
      </Suspense>
    )
  })
}

/** For somebody with no time: how am I doing, then what the organiser chose to show, in its order. */
export default function PortalHome(parts: Parts) {
  const { data } = useQuery(query(portalManagement.shown, {}))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Greeting welcome={data?.welcome} />
      <ConsentsFirst>
        <WithPoints>{(mine) => <Energy {...mine} />}</WithPoints>
        {data && <Blocks blocks={data.blocks} {...parts} />}
      </ConsentsFirst>
    </div>
  )
}
