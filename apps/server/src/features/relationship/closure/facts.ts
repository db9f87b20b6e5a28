import type { ClosureFacts } from '@voisol/contract/closure'
import type { Consent } from '@voisol/contract/consents'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { heldBy, isHeldBy, isHeldByNoOther } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { consentsOf } from '../../energy/consents/consents.ts'
import { readOpen } from '../../money/invoices/invoices.ts'
import { isActive } from '../../people/auth/auth.ts'

export const ownParticipants = (actor: Actor) => and(eq(participants.companyId, actor.companyId), isHeldBy(actor))
/** What a home agreed to and was invoiced is not one of its people's to end, as long as another reads it. */
export const ownAlone = (actor: Actor) => and(ownParticipants(actor), isHeldByNoOther(actor))

export const idsOf = async (db: Db, where: SQL | undefined) =>
  (await db.select({ id: participants.id }).from(participants).where(where)).map(({ id }) => id)

async function runningOf(db: Db, actor: Actor): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct o.name from participations s
      join operations o on o.company_id = s.company_id and o.id = s.operation_id
     where s.company_id = ${actor.companyId} and s.participant_id in ${heldBy(actor)} and (s.ends_on is null or s.ends_on > ${today()})
     order by o.name`)
  return rows.map(({ name }) => name)
}

/** What only they wanted ends with their account; readings are needed as long as a meter takes part. */
export async function freeAgreements(db: Db, actor: Actor): Promise<Consent[]> {
  const found = await consentsOf(db, actor.companyId, await idsOf(db, ownAlone(actor)))
  return found.filter(({ purpose, state }) => purpose !== 'collection' && (state === 'valid' || state === 'expiring'))
}

const opensElsewhere = async (db: Db, { companyId, userId }: Actor) => {
  const [row] = await db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), ne(memberships.companyId, companyId), isActive))
    .limit(1)
  return row !== undefined
}

export async function closureFacts(db: Db, actor: Actor): Promise<ClosureFacts> {
  const ids = await idsOf(db, ownParticipants(actor))
  const open = ids.length ? await readOpen(db, actor.companyId, ids) : new Map<string, number>()
  return {
    running: await runningOf(db, actor),
    open: Math.max(
      0,
      [...open.values()].reduce((sum, cents) => sum + cents, 0),
    ),
    agreements: (await freeAgreements(db, actor)).length,
    elsewhere: await opensElsewhere(db, actor),
  }
}
