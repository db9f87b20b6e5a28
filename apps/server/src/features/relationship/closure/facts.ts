import type { AccountClosureFacts } from '@voisol/contract/closure'
import type { Consent } from '@voisol/contract/consents'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { isOnlyHolder, isParticipantOfUser, participantIdsOfUser } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { loadConsents } from '../../energy/consents/consents.ts'
import { loadOpenAmounts } from '../../money/invoices/invoices.ts'
import { isActiveMembership } from '../../people/auth/auth.ts'

export const isOwnParticipant = (actor: Actor) =>
  and(eq(participants.companyId, actor.companyId), isParticipantOfUser(actor))
/** One holder cannot end the consents and contracts of a home as long as another holder has access. */
export const isOnlyOwnParticipant = (actor: Actor) => and(isOwnParticipant(actor), isOnlyHolder(actor))

export const listParticipantIds = async (db: Db, where: SQL | undefined) =>
  (await db.select({ id: participants.id }).from(participants).where(where)).map(({ id }) => id)

async function listRunningOperationNames(db: Db, actor: Actor): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct o.name from participations s
      join operations o on o.company_id = s.company_id and o.id = s.operation_id
     where s.company_id = ${actor.companyId} and s.participant_id in ${participantIdsOfUser(actor)} and (s.ends_on is null or s.ends_on > ${getToday()})
     order by o.name`)
  return rows.map(({ name }) => name)
}

/** Consents that can end with the account; that for readings is needed as long as a meter takes part. */
export async function listRevocableConsents(db: Db, actor: Actor): Promise<Consent[]> {
  const found = await loadConsents(db, actor.companyId, await listParticipantIds(db, isOnlyOwnParticipant(actor)))
  return found.filter(({ purpose, state }) => purpose !== 'collection' && (state === 'valid' || state === 'expiring'))
}

const hasOtherActiveMembership = async (db: Db, { companyId, userId }: Actor) => {
  const [row] = await db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), ne(memberships.companyId, companyId), isActiveMembership))
    .limit(1)
  return row !== undefined
}

export async function loadClosureFacts(db: Db, actor: Actor): Promise<AccountClosureFacts> {
  const ids = await listParticipantIds(db, isOwnParticipant(actor))
  const open = ids.length ? await loadOpenAmounts(db, actor.companyId, ids) : new Map<string, number>()
  return {
    running: await listRunningOperationNames(db, actor),
    open: Math.max(
      0,
      [...open.values()].reduce((sum, cents) => sum + cents, 0),
    ),
    agreements: (await listRevocableConsents(db, actor)).length,
    elsewhere: await hasOtherActiveMembership(db, actor),
  }
}
