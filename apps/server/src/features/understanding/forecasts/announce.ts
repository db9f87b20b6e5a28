import type { TomorrowHours } from '@voisol/contract/forecasts'
import { localTime } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay } from '../../../french.ts'
import { today } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { tomorrowOf } from './best-hours.ts'

type Operation = { companyId: number; id: string; name: string }

const operationsToTell = async (db: Db): Promise<Operation[]> => {
  const { rows } = await db.execute<Operation>(sql`
    select o.company_id as "companyId", o.id, o.name from operations o
     where o.status = 'active' and exists (select from issued_forecasts i
       where i.company_id = o.company_id and i.subject_id = o.id and i.kind = 'surplus' and i.issued_on = ${today()})
     order by o.company_id, o.id`)
  return rows
}

/** Who draws there with an account of their own; their preferences say whether they want to know. */
const consumersOf = async (db: Db, { companyId, id }: Operation): Promise<string[]> => {
  const { rows } = await db.execute<{ userId: string }>(sql`
    with drawing as (
      select distinct s.participant_id as id from participations s
        join points p on p.company_id = s.company_id and p.id = s.point_id and p.direction = 'consumption'
       where s.company_id = ${companyId} and s.operation_id = ${id}
         and s.starts_on <= ${today()} and (s.ends_on is null or s.ends_on > ${today()}))
    select user_id as "userId" from participants
     where company_id = ${companyId} and user_id is not null and id in (select id from drawing)
    union
    select user_id from portal_holders where company_id = ${companyId} and participant_id in (select id from drawing)`)
  return rows.map(({ userId }) => userId)
}

const clock = (instant: string) => {
  const { minuteOfDay } = localTime(Date.parse(instant) / 60_000)
  const minutes = minuteOfDay % 60
  return `${Math.floor(minuteOfDay / 60)}\u00a0h${minutes ? `\u00a0${String(minutes).padStart(2, '0')}` : ''}`
}
const percent = (part: number) => `${Math.round(part * 100)}\u00a0%`

function wordsOf({ from, to, day, hits, operationName }: TomorrowHours) {
  if (!from || !to) return undefined
  const past = hits
    ? `Sur les ${hits.days} derniers jours annoncés, il en restait vraiment ${percent(hits.rate)} du temps.`
    : 'Ces annonces sont trop récentes pour dire combien de fois elles ont été justes.'
  return {
    title: `Demain, lancez vos appareils entre ${clock(from)} et ${clock(to)}`,
    message: `Le ${frenchDay(day)}, ${operationName} devrait avoir de l’énergie locale à partager à ces heures. ${past}`,
  }
}

/** On the eve, to those who asked for it; where no hour is sure enough nothing is sent. */
export async function tellBestHours(deps: Deps) {
  for (const operation of await operationsToTell(deps.db)) {
    const hours = await tomorrowOf(deps.db, operation)
    const words = wordsOf(hours)
    const to = words ? await consumersOf(deps.db, operation) : []
    if (!words || !to.length) continue
    await notify(deps.db, deps, {
      companyId: operation.companyId,
      to,
      category: 'hours',
      type: 'info',
      priority: 'normal',
      ...words,
      action: { label: 'Voir mes heures', url: '/client-portal' },
      key: `best-hours ${operation.id} ${hours.day}`,
    })
  }
}
