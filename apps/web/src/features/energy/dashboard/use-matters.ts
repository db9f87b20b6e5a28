import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { notifications } from '@voisol/contract/notifications'
import { users } from '@voisol/contract/users'
import { useContext } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { LinkAccessContext } from '../../../lib/doors.ts'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import type { AttentionEntry } from './attention-line.tsx'

const SEVERITY_RANKS = { critical: 0, warning: 1, info: 2 }

/** What needs attention today, the most pressing first. */
export function useAttentionEntries() {
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
