import type { PointStanding } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { Badge } from '../../../../ui/badge.tsx'
import { todayInParis } from '../../../../ui/period/period.ts'
import { datesDiffer, datesWords, isLate, noon } from './words.ts'

export const SOON_DAYS = 60

export const Received = (point: PointStanding) =>
  point.receivedUntil ? (
    <span className="whitespace-nowrap">
      {isLate(point) ? <Badge tone="warning">{noon(point.receivedUntil)}</Badge> : noon(point.receivedUntil)}
    </span>
  ) : (
    <span className="text-ink-soft">Rien reçu</span>
  )

export const Calls = ({ blockedAt }: PointStanding) =>
  blockedAt ? <Badge tone="danger">Bloqués</Badge> : <Badge tone="success">Ouverts</Badge>

export const Access = ({ accessUntil }: PointStanding) => {
  if (!accessUntil) return <span className="text-ink-soft">Non lu</span>
  const today = todayInParis()
  if (accessUntil < today) return <Badge tone="danger">Fini le {noon(accessUntil)}</Badge>
  return accessUntil < addDays(today, SOON_DAYS) ? (
    <Badge tone="warning">{noon(accessUntil)}</Badge>
  ) : (
    <span className="whitespace-nowrap">{noon(accessUntil)}</span>
  )
}

/** Both sides where they differ; once where they say the same. */
export const Dates = ({ point, read }: { point: PointStanding; read: boolean }) => (
  <span className="block min-w-52">
    {datesWords(point).replace(/^./, (letter) => letter.toUpperCase())}
    {point.theirs && datesDiffer(point) ? (
      <span className="block text-[0.8125rem] font-medium text-warning">
        Chez Enedis&nbsp;: {datesWords(point.theirs)}
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
