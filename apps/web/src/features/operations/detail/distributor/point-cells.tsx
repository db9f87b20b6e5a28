import type { PointSyncStatus } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { Badge } from '../../../../ui/badge.tsx'
import { getTodayInParis } from '../../../../ui/period/period.ts'
import { formatDistributorDay, formatParticipationDates, hasDateMismatch, isPointLate } from './words.ts'

export const RENEWAL_WARNING_DAYS = 60

export const ReceivedUntilCell = (point: PointSyncStatus) =>
  point.receivedUntil ? (
    <span className="whitespace-nowrap">
      {isPointLate(point) ? (
        <Badge tone="warning">{formatDistributorDay(point.receivedUntil)}</Badge>
      ) : (
        formatDistributorDay(point.receivedUntil)
      )}
    </span>
  ) : (
    <span className="text-ink-soft">Rien reçu</span>
  )

export const CallStateCell = ({ blockedAt }: PointSyncStatus) =>
  blockedAt ? <Badge tone="danger">Bloqués</Badge> : <Badge tone="success">Ouverts</Badge>

export const AccessUntilCell = ({ accessUntil }: PointSyncStatus) => {
  if (!accessUntil) return <span className="text-ink-soft">Non lu</span>
  const today = getTodayInParis()
  if (accessUntil < today) return <Badge tone="danger">Fini le {formatDistributorDay(accessUntil)}</Badge>
  return accessUntil < addDays(today, RENEWAL_WARNING_DAYS) ? (
    <Badge tone="warning">{formatDistributorDay(accessUntil)}</Badge>
  ) : (
    <span className="whitespace-nowrap">{formatDistributorDay(accessUntil)}</span>
  )
}

/** Both sides where they differ; once where they say the same. */
export const ParticipationDatesCell = ({ point, read }: { point: PointSyncStatus; read: boolean }) => (
  <span className="block min-w-52">
    {formatParticipationDates(point).replace(/^./, (letter) => letter.toUpperCase())}
    {point.theirs && hasDateMismatch(point) ? (
      <span className="block text-[0.8125rem] font-medium text-warning">
        Chez Enedis&nbsp;: {formatParticipationDates(point.theirs)}
      </span>
    ) : (
      read && (
        <span className="block text-[0.8125rem] text-ink-soft">
          {point.theirs ? 'Mêmes dates chez Enedis' : 'Absent du périmètre lu chez Enedis'}
        </span>
      )
    )}
  </span>
)
