import type { ReportSubject } from '@voisol/contract/report-blocks'
import { and, asc, eq } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

export type ReportSubjectRef = {
  kind: ReportSubject
  id: string
  name: string
  /** The filter for its energy; null for a seller who is not a member. */
  where: { operationId: string } | { participantId: string } | null
}
const MAX_SUBJECTS = 1_000

/** Participants belong to the whole company: a user limited to operations has reports about these only. */
const canNamePeople = ({ operationIds }: Actor) => operationIds === null

const selectOperations = (db: Db, actor: Actor, id?: string) =>
  db
    .select({ id: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), id ? eq(operations.id, id) : undefined))
    .orderBy(asc(operations.name))
    .limit(MAX_SUBJECTS)

const selectParticipants = (db: Db, { companyId }: Actor, id?: string) =>
  db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), id ? eq(participants.id, id) : undefined))
    .orderBy(asc(participants.name))
    .limit(MAX_SUBJECTS)

const selectSellers = (db: Db, { companyId }: Actor, id?: string) =>
  db
    .select({ id: sellers.id, name: sellers.name, participantId: sellers.participantId })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), id ? eq(sellers.id, id) : undefined))
    .orderBy(asc(sellers.name))
    .limit(MAX_SUBJECTS)

export async function listReportSubjects(
  db: Db,
  actor: Actor,
  kind: ReportSubject,
): Promise<{ id: string; name: string }[]> {
  if (kind === 'operation') return selectOperations(db, actor)
  if (!canNamePeople(actor)) return []
  if (kind === 'participant') return selectParticipants(db, actor)
  return (await selectSellers(db, actor)).map(({ id, name }) => ({ id, name }))
}

export async function loadReportSubject(
  db: Db,
  actor: Actor,
  kind: ReportSubject,
  id: string,
): Promise<ReportSubjectRef> {
  if (kind !== 'operation' && !canNamePeople(actor)) throw new AppError('not-found')
  if (kind === 'producer') {
    const [row] = await selectSellers(db, actor, id)
    if (!row) throw new AppError('not-found')
    const { name, participantId } = row
    return { kind, id, name, where: participantId === null ? null : { participantId } }
  }
  const [row] = await (kind === 'operation' ? selectOperations(db, actor, id) : selectParticipants(db, actor, id))
  if (!row) throw new AppError('not-found')
  return { kind, id, name: row.name, where: kind === 'operation' ? { operationId: id } : { participantId: id } }
}

/** The database columns that identify the subject. */
export const toSubjectColumns = ({ kind, id }: Pick<ReportSubjectRef, 'kind' | 'id'>) => ({
  operationId: kind === 'operation' ? id : null,
  participantId: kind === 'participant' ? id : null,
  sellerId: kind === 'producer' ? id : null,
})
