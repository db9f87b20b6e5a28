import type { Participant } from '@voisol/contract/participants'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { consumesSql, producesSql } from '../../../core/sides.ts'
import type { Db } from '../../../db/client.ts'
import { consents, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { PARTICIPATION_JOINS } from './enrol-known.ts'
import { participationScope } from './scope.ts'

export type ParticipantReach = { actor: Actor; day: string; operationId?: string | undefined; only?: SQL | undefined }

/**
 * The state of each participant on a day from their participations; future and current ones count before past ones.
 * Grouped by participant, so that the database can skip this join, and the join on points, when their columns are not
 * used.
 */
export function selectParticipationStatus(db: Db, { actor, day, operationId, only }: ParticipantReach) {
  const isOpen = sql`(${participations.endsOn} is null or ${participations.endsOn} > ${day})`
  const isCurrent = sql`(${participations.startsOn} <= ${day} and ${isOpen})`
  const has = (side: SQL) => {
    const one = sql`bool_or(${side})`
    return sql<boolean>`coalesce(${one} filter (where ${isOpen}), ${one})`
  }
  return db
    .select({
      participantId: participations.participantId,
      state: sql<Participant['state']>`case when bool_or(${isCurrent}) then 'active'
        when bool_or(${isOpen}) then 'upcoming' else 'past' end`.as('state'),
      consumes: has(consumesSql(sql`${points}`)).as('consumes'),
      produces: has(producesSql(sql`${points}`)).as('produces'),
      stores: has(sql`${points.storage}`).as('stores'),
      open: sql<boolean>`bool_or(${isOpen})`.as('open'),
      unsigned: sql<boolean>`bool_or(${isOpen} and ${participations.agreementSignedOn} is null)`.as('unsigned'),
    })
    .from(participations)
    .leftJoin(points, PARTICIPATION_JOINS.point)
    .where(
      and(
        participationScope(actor),
        operationId ? eq(participations.operationId, operationId) : undefined,
        only && sql`${participations.participantId} = ${only}`,
      ),
    )
    .groupBy(participations.participantId)
    .as('standing')
}

/** The end of each participant's consent to data collection, by their last decision. */
export const selectCollectionConsents = (db: Db, { actor, only }: ParticipantReach) =>
  db
    .selectDistinctOn([consents.participantId], {
      participantId: consents.participantId,
      agreedUntil: sql<
        string | null
      >`case when ${consents.withdrawnAt} is null then ${consents.expiresOn}::text end`.as('agreed_until'),
    })
    .from(consents)
    .where(
      and(
        eq(consents.companyId, actor.companyId),
        eq(consents.purpose, 'collection'),
        only && sql`${consents.participantId} = ${only}`,
      ),
    )
    .orderBy(consents.participantId, desc(consents.createdAt))
    .as('collection')

export const participantNameOrder = sql`fold(${participants.name})`
