import { sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { formatCount } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { countParticipants } from '../../energy/participants/participants.ts'
import type { AttentionItem } from './attention.ts'

const EXPIRING_SOON_DAYS = 60
const REVIEW_URL = '/participants?review=true'

/** Current participants with something that needs a person. */
export async function checkParticipants(db: Db, actor: Actor): Promise<AttentionItem[]> {
  const items: AttentionItem[] = []
  const expiring = await countExpiringConsents(db, actor)
  if (expiring)
    items.push({
      severity: 'warning',
      kind: 'expiring-consents',
      title: `${formatCount(expiring, 'consentement expire', 'consentements expirent')} d’ici ${EXPIRING_SOON_DAYS} jours`,
      message: 'Sans renouvellement, les relevés des participants concernés ne pourront plus être collectés.',
      url: REVIEW_URL,
    })
  const total = await countParticipants(db, actor, { page: 1, size: 1, review: true })
  if (total)
    items.push({
      severity: 'info',
      kind: 'participants-to-review',
      title: `${formatCount(total, 'participant', 'participants')} à vérifier`,
      message:
        'Il leur manque une adresse e-mail, un accord de participation ou un consentement, ou celui-ci expire bientôt.',
      url: REVIEW_URL,
    })
  return items
}

/** Only the last decision of each participant on each purpose counts. */
async function countExpiringConsents(db: Db, actor: Actor): Promise<number> {
  const { companyId } = actor
  const within = withinOperationLimit(actor, sql`p.operation_id`)
  const day = getToday()
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::int as n
      from (select distinct on (participant_id, purpose) participant_id, expires_on, withdrawn_at
              from consents where company_id = ${companyId}
             order by participant_id, purpose, created_at desc) c
     where c.withdrawn_at is null and c.expires_on > ${day}::date and c.expires_on <= ${day}::date + ${EXPIRING_SOON_DAYS}::int
       and exists (select 1 from participations p
                    where p.company_id = ${companyId} and p.participant_id = c.participant_id
                      and (p.ends_on is null or p.ends_on > ${day}::date)${within ? sql` and ${within}` : sql``})`)
  return rows[0]?.n ?? 0
}
