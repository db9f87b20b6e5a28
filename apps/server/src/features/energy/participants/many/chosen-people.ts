import { createHash } from 'node:crypto'
import { type BulkAsked, MOST_CHOSEN } from '@voisol/contract/bulk'
import { ParticipantQuery } from '@voisol/contract/participants'
import { and, asc, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../../db/client.ts'
import { memberships, participants, users } from '../../../../db/schema/index.ts'
import type { Actor } from '../../../../http/actor.ts'
import { AppError, fieldError } from '../../../../http/errors.ts'
import { anyOf } from '../enrol-known.ts'
import { participantScope } from '../scope.ts'
import { account, chosen, member, portal } from '../selection.ts'
import { nameOrder } from '../standing.ts'

type Asked = z.output<typeof BulkAsked>

/** Who is meant: those named, all of them one's own, or all who match the filter at this moment. */
export async function idsOf(db: Db, actor: Actor, { selection }: Pick<Asked, 'selection'>): Promise<string[]> {
  if ('filter' in selection) return matching(db, actor, selection.filter)
  const ids = [...new Set(selection.ids)]
  const own = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOf(ids, 'uuid')}`))
  if (own.length < ids.length) throw new AppError('not-found')
  return ids
}

async function matching(
  db: Db,
  actor: Actor,
  { review, ...filter }: Extract<Asked['selection'], { filter: object }>['filter'],
) {
  const query = { ...ParticipantQuery.parse({}), ...filter, ...(review !== undefined && { review }) }
  const { ids } = await chosen(db, actor, query)
  if (ids.length === 0) throw fieldError('selection', 'Aucun participant ne correspond à ces filtres.')
  if (ids.length > MOST_CHOSEN)
    throw fieldError(
      'selection',
      `Au plus ${MOST_CHOSEN.toLocaleString('fr-FR')} participants à la fois\u00a0: ces filtres en retiennent ${ids.length.toLocaleString('fr-FR')}.`,
    )
  return ids
}

/** What was seen: for whom, and what was to be done. Another set of people, or another wish, has another seal. */
export const sealOf = (ids: string[], { action, operationId }: Pick<Asked, 'action' | 'operationId'>) =>
  createHash('sha256')
    .update(JSON.stringify([ids.toSorted(), action, operationId ?? null]))
    .digest('base64url')

/** Held until the end, always in the same order: two who work at once follow each other. */
export async function lockPeople(tx: Db, actor: Actor, ids: string[]) {
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOf(ids, 'uuid')}`))
    .orderBy(asc(participants.id))
    .for('update')
  return tx
    .select({ row: participants, portal })
    .from(participants)
    .leftJoin(users, account)
    .leftJoin(memberships, member)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOf(ids, 'uuid')}`))
    .orderBy(nameOrder, asc(participants.id))
}
export type Chosen = Awaited<ReturnType<typeof lockPeople>>[number]
