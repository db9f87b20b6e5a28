import { addMonths } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { actorFor } from '../../../http/job-actor.ts'
import { brandUrl, mailBrandOf } from '../../people/mail/mail.ts'
import { notificationMail } from '../../people/notifications/notifications.ts'
import { monthOf } from './month.ts'
import { lastMonth } from './tell.ts'

/** How many are looked at for one whose month is whole. */
const MOST_TRIED = 5
const MONTHS = 3

const someReaders = async (db: Db, companyId: number): Promise<string[]> => {
  const { rows } = await db.execute<{ userId: string }>(sql`
    select h.user_id as "userId" from participants h join participations s
        on s.company_id = h.company_id and s.participant_id = h.id
     where h.company_id = ${companyId} and h.user_id is not null
     group by h.user_id order by min(s.starts_on), h.user_id limit ${MOST_TRIED}`)
  return rows.map(({ userId }) => userId)
}

/** The last whole month of a participant, as they get it; not to whoever sees a part of the company alone. */
export async function solarMonthMail(
  deps: Pick<Deps, 'db' | 'config'>,
  { companyId, operationIds }: Pick<Actor, 'companyId' | 'operationIds'>,
) {
  if (operationIds) return undefined
  const { db, config } = deps
  const readers = await someReaders(db, companyId)
  for (let back = 0; back < MONTHS; back++)
    for (const userId of readers) {
      const reader = await actorFor(db, companyId, userId, 'portal')
      if (reader?.space !== 'portal') continue
      const words = await monthOf(deps, reader, addMonths(lastMonth(), -back))
      if (!words) continue
      const leave = brandUrl(config, await mailBrandOf(db, config, companyId), '/client-portal/notifications')
      return notificationMail(db, config, companyId, words, leave)
    }
  return undefined
}
