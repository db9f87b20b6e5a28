import { useQuery } from '@tanstack/react-query'
import { selectDefaultSide } from '@voisol/contract/my-side'
import { notifications } from '@voisol/contract/notifications'
import { type PortalBlock, portalManagement } from '@voisol/contract/portal-management'
import { Fragment, type ReactNode, Suspense } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { lazy } from '../../../ui/lazy.tsx'
import { Link } from '../../../ui/link.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ConsentPrompt } from './consents-first.tsx'
import { groupBlocks } from './home-groups.ts'
import { WithPoints } from './loading.tsx'
import { type MyPoints, selectOwnSide } from './my-points.ts'
import { NoPoint, NoReading } from './nothing.tsx'
import { getLastReadingMonth } from './use-month.ts'

// On its way while the meters are asked for; what is under it comes after.
const thisMonth = import('./this-month.tsx')
const ThisMonth = lazy(async () => ({ default: (await thisMonth).ThisMonth }))
const MonthDaysChart = lazy(async () => ({ default: (await import('./day-chart.tsx')).MonthDaysChart }))
const OtherSideSummary = lazy(async () => ({ default: (await import('./other-side.tsx')).OtherSideSummary }))
const ParticipationNotices = lazy(async () => ({ default: (await import('./stay.tsx')).ParticipationNotices }))
const HomeCards = lazy(async () => ({ default: (await import('./home-more.tsx')).HomeCards }))

function UnreadLink() {
  const { data } = useQuery(query(notifications.unreadCount, {}))
  const unread = data?.unreadCount ?? 0
  if (unread === 0) return 'Vous avez tout lu.'
  return (
    <Link to="/client-portal/notifications" className="text-link">
      {formatCount(unread, 'message non lu', 'messages non lus')}
    </Link>
  )
}

function Greeting({ welcome }: { welcome: string | undefined }) {
  const { user } = useSession()
  return (
    <header>
      <h1 className="text-3xl font-semibold">Bonjour {user?.firstName}</h1>
      <p className="mt-1 text-lg text-ink-soft">
        Vous êtes chez {user?.companyName}. {!user?.viewing && <UnreadLink />}
      </p>
      {welcome && (
        <p className="prose-width mt-3 wrap-anywhere whitespace-pre-line">
          <bdi>{welcome}</bdi>
        </p>
      )}
    </header>
  )
}

function HomeEnergy({ all, consumes, produces, lastDay }: MyPoints) {
  if (all.length === 0) return <NoPoint />
  const participationNotices = (
    <Suspense fallback={null}>
      <ParticipationNotices all={all} />
    </Suspense>
  )
  if (lastDay === null)
    return (
      <>
        {participationNotices}
        <NoReading />
      </>
    )
  const month = getLastReadingMonth(lastDay)
  const mine = selectDefaultSide(all)
  return (
    <>
      {participationNotices}
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <ThisMonth mine={mine} month={month} />
        {consumes && produces && <OtherSideSummary mine={selectOwnSide(all, 'production')} month={month} />}
      </Suspense>
    </>
  )
}

/** The last day that was measured; nothing before the first one. */
function HomeChart({ all, lastDay }: MyPoints) {
  if (all.length === 0 || lastDay === null) return null
  const mine = selectDefaultSide(all)
  return (
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <MonthDaysChart mine={mine} month={getLastReadingMonth(lastDay)} />
    </Suspense>
  )
}

type HomeSlots = { news: ReactNode; messages: ReactNode }

/** As the organiser ordered them: what is wide stands alone, the cards between share the width. */
function HomeBlocks({ blocks, news, messages }: HomeSlots & { blocks: PortalBlock[] }) {
  return groupBlocks(blocks).map((keys) => {
    const [first] = keys
    if (first === 'chart') return <WithPoints key={first}>{(mine) => <HomeChart {...mine} />}</WithPoints>
    if (first === 'news') return <Fragment key={first}>{news}</Fragment>
    return (
      <Suspense key={keys.join()} fallback={<Skeleton className="h-64 w-full" />}>
        <HomeCards keys={keys} messages={messages} />
      </Suspense>
    )
  })
}

/** For somebody with no time: how am I doing, then what the organiser chose to show, in its order. */
export default function PortalHome(parts: HomeSlots) {
  const { data } = useQuery(query(portalManagement.shown, {}))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Greeting welcome={data?.welcome} />
      <ConsentPrompt>
        <WithPoints>{(mine) => <HomeEnergy {...mine} />}</WithPoints>
        {data && <HomeBlocks blocks={data.blocks} {...parts} />}
      </ConsentPrompt>
    </div>
  )
}
