import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { notifications } from '@voisol/contract/notifications'
import { users } from '@voisol/contract/users'
import { dayOf } from '@voisol/energy/calendar'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import Plus from 'lucide-react/icons/plus'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, Suspense, useContext, useState } from 'react'
import { Button, ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { PageHeader } from '../../../../components/page-header.tsx'
import { buildPeriod, getTodayInParis } from '../../../../components/period/period.ts'
import { useCan } from '../../../../lib/can.tsx'
import { formatCount, formatDate } from '../../../../lib/format.ts'
import { LinkAccessContext } from '../../../../lib/link-access.ts'
import { query } from '../../../../lib/queries.ts'
import { useSession } from '../../../../lib/session.ts'

// The figures wait for what the company has received: their program comes meanwhile.
const loadOverview = async () => ({ default: (await import('./overview.tsx')).DashboardOverview })
loadOverview().catch(() => undefined)
const DashboardOverview = lazy(loadOverview)
// Below all the rest: it comes last.
const RecentActivity = lazy(async () => ({ default: (await import('./activity.tsx')).RecentActivity }))
const loadingSkeleton = <Skeleton className="h-96 w-full" />

function DashboardContent({ begin }: { begin: ReactNode }) {
  const { user } = useSession()
  const { state, error, refetch } = useCompanyReadingState()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!state) return loadingSkeleton
  // A company on trial is still being shown around; one that has been here for longer knows its way.
  const { lastDay } = state
  return (
    <>
      {(lastDay === null || user?.trialEndsAt != null || user?.exampleOf != null) && begin}
      <Attention />
      {lastDay !== null && (
        <Suspense fallback={loadingSkeleton}>
          <DashboardOverview lastDay={lastDay} />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <RecentActivity />
      </Suspense>
    </>
  )
}

/** `begin` leads a company that begins. */
export default function Dashboard({ begin }: { begin?: ReactNode }) {
  const { user } = useSession()
  return (
    <>
      <PageHeader
        title="Tableau de bord"
        description={`Bonjour ${user?.firstName ?? ''}. Voici ce qui se passe chez ${user?.companyName ?? ''}.`}
        actions={
          <ButtonLink to="/acc-operations/new" variant="secondary" icon={<Plus aria-hidden="true" />}>
            Nouvelle opération
          </ButtonLink>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <DashboardContent begin={begin} />
      </div>
    </>
  )
}

const getLastDay = (instants: (string | null)[]) => {
  const last = instants
    .filter((instant) => instant !== null)
    .toSorted()
    .at(-1)
  return last === undefined ? null : dayOf(Math.floor(Date.parse(last) / 60_000) - 1)
}

/** The last day of which something is known in the company. */
function useCompanyReadingState() {
  const { from, to } = buildPeriod('month', getTodayInParis())
  const { data, error, refetch } = useQuery({ ...query(energy.operations, { query: { from, to } }), staleTime: 0 })
  const state = data && { lastDay: getLastDay(data.items.map(({ receivedUntil }) => receivedUntil)) }
  return { state, error, refetch }
}

const VISIBLE_ENTRIES = 6

/** What needs attention today; each line leads to the screen that settles it. */
function Attention() {
  const { matters, isPending, error, retry } = useAttentionEntries()
  const [open, setOpen] = useState(false)
  const hidden = matters.length - VISIBLE_ENTRIES
  const shown = open || hidden === 1 ? matters : matters.slice(0, VISIBLE_ENTRIES)
  return (
    <Card title="À traiter">
      {error && <ErrorState error={error} onRetry={retry} />}
      {isPending && !error && <Skeleton className="h-24 w-full" />}
      {!isPending && !error && matters.length === 0 && (
        <p className="flex items-center gap-2 text-body text-ink-soft">
          <CircleCheck aria-hidden="true" className="size-5 text-success" /> Rien n’attend votre attention.
        </p>
      )}
      {!isPending && (
        <ul className="-mx-3 -my-1 grid gap-x-6 xl:grid-cols-2">
          {shown.map((matter) => (
            <li key={`${matter.title} ${matter.url}`}>
              <AttentionLine {...matter} />
            </li>
          ))}
        </ul>
      )}
      {!isPending && hidden > 1 && (
        <Button
          variant="quiet"
          size="small"
          className="-mb-2 mt-2 -ml-3"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Replier' : `Voir ${formatCount(hidden, 'autre point', 'autres points')}`}
        </Button>
      )}
    </Card>
  )
}

const SEVERITY_RANKS = { critical: 0, warning: 1, info: 2 }

/** What needs attention today, the most pressing first. */
function useAttentionEntries() {
  const { user } = useSession()
  const can = useCan()
  const { opens } = useContext(LinkAccessContext)
  const ofEnergy = useQuery({ ...query(energy.attention, {}), staleTime: 0 })
  const seesUsers = can(users.list)
  const invited = useQuery({ ...query(users.list, { query: { status: 'invited', size: 1 } }), enabled: seesUsers })
  const unread = useQuery(query(notifications.unreadCount, {}))
  const waiting = invited.data?.total ?? 0
  const unreadCount = unread.data?.unreadCount ?? 0
  const own: (AttentionEntry | false | null | undefined)[] = [
    unreadCount > 0 && {
      severity: 'info',
      title: formatCount(unreadCount, 'notification non lue', 'notifications non lues'),
      url: '/notifications?view=unread',
    },
    waiting > 0 && {
      severity: 'info',
      title: formatCount(waiting, 'invitation en attente', 'invitations en attente'),
      url: '/users?status=invited',
    },
    user &&
      !user.secondFactor && {
        severity: 'info',
        title: 'Votre compte n’est protégé que par un mot de passe',
        url: '/settings/profile',
      },
    user?.trialEndsAt != null && {
      severity: 'info',
      title: `L’essai gratuit se termine le ${formatDate(user.trialEndsAt)}`,
      url: '/settings',
    },
  ]
  const all = [ofEnergy, unread, ...(seesUsers ? [invited] : [])]
  const allEntries = [...(ofEnergy.data?.items ?? []), ...own.filter((matter) => !!matter)]
  // Each line leads to the screen that settles it: without that screen it would only worry.
  const matters = allEntries.filter(({ url }) => opens(url))
  return {
    matters: matters.toSorted((a, b) => SEVERITY_RANKS[a.severity] - SEVERITY_RANKS[b.severity]),
    isPending: all.some((one) => one.isPending),
    error: all.find((one) => one.error)?.error ?? null,
    retry: () => Promise.all(all.map((one) => one.refetch())),
  }
}

type AttentionEntry = { severity: 'info' | 'warning' | 'critical'; title: string; message?: string; url: string }

const SEVERITY_STYLES = {
  critical: { icon: CircleAlert, tone: 'bg-danger-soft text-danger', word: 'Urgent' },
  warning: { icon: TriangleAlert, tone: 'bg-warning-soft text-warning', word: 'À surveiller' },
  info: { icon: Info, tone: 'bg-primary-soft text-primary-ink', word: 'Pour information' },
}

/** One matter, leading to the screen that settles it. */
function AttentionLine({ severity, title, message, url }: AttentionEntry) {
  const { icon: Icon, tone, word } = SEVERITY_STYLES[severity]
  return (
    <Link
      to={url}
      className="group flex min-h-14 items-center gap-3 rounded-control px-3 py-2.5 text-body text-ink no-underline hover:bg-page"
    >
      <span className={cx('grid size-9 shrink-0 place-items-center rounded-full', tone)}>
        <Icon aria-hidden="true" className="size-[1.125rem]" />
        <span className="sr-only">{word} : </span>
      </span>
      <span className="min-w-0 grow">
        <span className="block font-medium group-hover:text-primary-ink">{title}</span>
        {message && <span className="block text-[0.8125rem] text-ink-soft">{message}</span>}
      </span>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
    </Link>
  )
}
