import { createHash } from 'node:crypto'
import { MAX_BULK_SELECTION, type RunBulkActionInput } from '@voisol/contract/bulk'
import { ParticipantQuery } from '@voisol/contract/participants'
import { and, asc, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../../db/client.ts'
import { memberships, participants, users } from '../../../../db/schema/index.ts'
import type { Actor } from '../../../../http/actor.ts'
import { AppError, fieldError } from '../../../../http/errors.ts'
import { anyOfArray } from '../enrol-known.ts'
import { participantScope } from '../scope.ts'
import {
  isAccountOfParticipant,
  isMembershipOfParticipant,
  listMatchingParticipantIds,
  portalStatusSql,
} from '../selection.ts'
import { participantNameOrder } from '../standing.ts'

type BulkActionInput = z.output<typeof RunBulkActionInput>

/** The selected people: those named, all of one's own, or all that match the filter now. */
export async function resolveSelection(
  db: Db,
  actor: Actor,
  { selection }: Pick<BulkActionInput, 'selection'>,
): Promise<string[]> {
  if ('filter' in selection) return listMatchingIds(db, actor, selection.filter)
  const ids = [...new Set(selection.ids)]
  const own = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOfArray(ids, 'uuid')}`))
  if (own.length < ids.length) throw new AppError('not-found')
  return ids
}

async function listMatchingIds(
  db: Db,
  actor: Actor,
  { review, ...filter }: Extract<BulkActionInput['selection'], { filter: object }>['filter'],
) {
  const query = { ...ParticipantQuery.parse({}), ...filter, ...(review !== undefined && { review }) }
  const { ids } = await listMatchingParticipantIds(db, actor, query)
  if (ids.length === 0) throw fieldError('selection', 'Aucun participant ne correspond à ces filtres.')
  if (ids.length > MAX_BULK_SELECTION)
    throw fieldError(
      'selection',
      `Au plus ${MAX_BULK_SELECTION.toLocaleString('fr-FR')} participants à la fois\u00a0: ces filtres en retiennent ${ids.length.toLocaleString('fr-FR')}.`,
    )
  return ids
}

/** A hash of the selected people and the action, so that a confirmation only applies to what was shown. */
export const computeSelectionHash = (
  ids: string[],
  { action, operationId }: Pick<BulkActionInput, 'action' | 'operationId'>,
) =>
  createHash('sha256')
    .update(JSON.stringify([ids.toSorted(), action, operationId ?? null]))
    .digest('base64url')

/** Locks in a fixed order, so that concurrent bulk actions cannot deadlock. */
export async function lockSelectedParticipants(tx: Db, actor: Actor, ids: string[]) {
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOfArray(ids, 'uuid')}`))
    .orderBy(asc(participants.id))
    .for('update')
  return tx
    .select({ row: participants, portal: portalStatusSql })
    .from(participants)
    .leftJoin(users, isAccountOfParticipant)
    .leftJoin(memberships, isMembershipOfParticipant)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOfArray(ids, 'uuid')}`))
    .orderBy(participantNameOrder, asc(participants.id))
}
export type SelectedParticipant = Awaited<ReturnType<typeof lockSelectedParticipants>>[number]
