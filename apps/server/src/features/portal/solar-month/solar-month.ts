import { addMonths } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadJobActor } from '../../../http/job-actor.ts'
import { buildBrandUrl, loadMailBrand } from '../../identity/mail/index.ts'
import { buildNotificationMail } from '../../identity/notifications/index.ts'
import { buildSolarMonth, getLastMonth } from './notify-solar-month.ts'

/** Maximum number of readers tried for a sample with a complete month. */
const MAX_TRIED_READERS = 5
const MAX_MONTHS_BACK = 3

const listSampleReaders = async (db: Db, companyId: number): Promise<string[]> => {
  const { rows } = await db.execute<{ userId: string }>(sql`
    select h.user_id as "userId" from participants h join participations s
        on s.company_id = h.company_id and s.participant_id = h.id
     where h.company_id = ${companyId} and h.user_id is not null
     group by h.user_id order by min(s.starts_on), h.user_id limit ${MAX_TRIED_READERS}`)
  return rows.map(({ userId }) => userId)
}

/** A sample for the last complete month of a participant; not available to users limited to some operations. */
export async function buildSolarMonthMailSample(
  deps: Pick<Deps, 'db' | 'config'>,
  { companyId, operationIds }: Pick<Actor, 'companyId' | 'operationIds'>,
) {
  if (operationIds) return undefined
  const { db, config } = deps
  const readers = await listSampleReaders(db, companyId)
  for (let back = 0; back < MAX_MONTHS_BACK; back++)
    for (const userId of readers) {
      const reader = await loadJobActor(db, companyId, userId, 'portal')
      if (reader?.space !== 'portal') continue
      const words = await buildSolarMonth(deps, reader, addMonths(getLastMonth(), -back))
      if (!words) continue
      const leave = buildBrandUrl(config, await loadMailBrand(db, config, companyId), '/client-portal/notifications')
      return buildNotificationMail(db, config, companyId, words, leave)
    }
  return undefined
}
