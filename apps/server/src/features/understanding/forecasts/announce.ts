import type { TomorrowHours } from '@voisol/contract/forecasts'
import { localTime } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { formatFrenchDay } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { loadTomorrowHours } from './best-hours.ts'

type NotifiedOperation = { companyId: number; id: string; name: string }

const listOperationsToNotify = async (db: Db): Promise<NotifiedOperation[]> => {
  const { rows } = await db.execute<NotifiedOperation>(sql`
    select o.company_id as "companyId", o.id, o.name from operations o
     where o.status = 'active' and exists (select from issued_forecasts i
       where i.company_id = o.company_id and i.subject_id = o.id and i.kind = 'surplus' and i.issued_on = ${getToday()})
     order by o.company_id, o.id`)
  return rows
}

/** Consumers of the operation with an account; their preferences decide whether they are notified. */
const listConsumerUserIds = async (db: Db, { companyId, id }: NotifiedOperation): Promise<string[]> => {
  const { rows } = await db.execute<{ userId: string }>(sql`
    with drawing as (
      select distinct s.participant_id as id from participations s
        join points p on p.company_id = s.company_id and p.id = s.point_id and p.direction = 'consumption'
       where s.company_id = ${companyId} and s.operation_id = ${id}
         and s.starts_on <= ${getToday()} and (s.ends_on is null or s.ends_on > ${getToday()}))
    select user_id as "userId" from participants
     where company_id = ${companyId} and user_id is not null and id in (select id from drawing)
    union
    select user_id from portal_holders where company_id = ${companyId} and participant_id in (select id from drawing)`)
  return rows.map(({ userId }) => userId)
}

const formatClockTime = (instant: string) => {
  const { minuteOfDay } = localTime(Date.parse(instant) / 60_000)
  const minutes = minuteOfDay % 60
  return `${Math.floor(minuteOfDay / 60)}\u00a0h${minutes ? `\u00a0${String(minutes).padStart(2, '0')}` : ''}`
}
const formatPercent = (part: number) => `${Math.round(part * 100)}\u00a0%`

function buildBestHoursMessage({ from, to, day, hits, operationName }: TomorrowHours) {
  if (!from || !to) return undefined
  const past = hits
    ? `Sur les ${hits.days} derniers jours annoncés, il en restait vraiment ${formatPercent(hits.rate)} du temps.`
    : 'Ces annonces sont trop récentes pour dire combien de fois elles ont été justes.'
  return {
    title: `Demain, lancez vos appareils entre ${formatClockTime(from)} et ${formatClockTime(to)}`,
    message: `Le ${formatFrenchDay(day)}, ${operationName} devrait avoir de l’énergie locale à partager à ces heures. ${past}`,
  }
}

/** The evening before, for those who chose it; nothing is sent when no hour is certain enough. */
export async function notifyBestHours(deps: Deps) {
  for (const operation of await listOperationsToNotify(deps.db)) {
    const hours = await loadTomorrowHours(deps.db, operation)
    const notification = buildBestHoursMessage(hours)
    const to = notification ? await listConsumerUserIds(deps.db, operation) : []
    if (!notification || !to.length) continue
    await notify(deps.db, deps, {
      companyId: operation.companyId,
      to,
      category: 'hours',
      type: 'info',
      priority: 'normal',
      ...notification,
      action: { label: 'Voir mes heures', url: '/client-portal' },
      key: `best-hours ${operation.id} ${hours.day}`,
    })
  }
}
