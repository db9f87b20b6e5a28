import type { ReportSubject } from '@voisol/contract/report-blocks'
import { and, asc, eq } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

export type Subject = {
  kind: ReportSubject
  id: string
  name: string
  /** What its energy is read by; null for a seller who takes part in nothing. */
  where: { operationId: string } | { participantId: string } | null
}
const MOST = 1_000

/** People are the whole company's: somebody limited to some operations has reports of these alone. */
const mayNamePeople = ({ operationIds }: Actor) => operationIds === null

const operationsOf = (db: Db, actor: Actor, id?: string) =>
  db
    .select({ id: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), id ? eq(operations.id, id) : undefined))
    .orderBy(asc(operations.name))
    .limit(MOST)

const peopleOf = (db: Db, { companyId }: Actor, id?: string) =>
  db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), id ? eq(participants.id, id) : undefined))
    .orderBy(asc(participants.name))
    .limit(MOST)

const sellersOf = (db: Db, { companyId }: Actor, id?: string) =>
  db
    .select({ id: sellers.id, name: sellers.name, participantId: sellers.participantId })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), id ? eq(sellers.id, id) : undefined))
    .orderBy(asc(sellers.name))
    .limit(MOST)

export async function listSubjects(db: Db, actor: Actor, kind: ReportSubject): Promise<{ id: string; name: string }[]> {
  if (kind === 'operation') return operationsOf(db, actor)
  if (!mayNamePeople(actor)) return []
  if (kind === 'participant') return peopleOf(db, actor)
  return (await sellersOf(db, actor)).map(({ id, name }) => ({ id, name }))
}

export async function findSubject(db: Db, actor: Actor, kind: ReportSubject, id: string): Promise<Subject> {
  if (kind !== 'operation' && !mayNamePeople(actor)) throw new AppError('not-found')
  if (kind === 'producer') {
    const [row] = await sellersOf(db, actor, id)
    if (!row) throw new AppError('not-found')
    const { name, participantId } = row
    return { kind, id, name, where: participantId === null ? null : { participantId } }
  }
  const [row] = await (kind === 'operation' ? operationsOf(db, actor, id) : peopleOf(db, actor, id))
  if (!row) throw new AppError('not-found')
  return { kind, id, name: row.name, where: kind === 'operation' ? { operationId: id } : { participantId: id } }
}

/** The columns that name it in a row. */
export const columnsOf = ({ kind, id }: Pick<Subject, 'kind' | 'id'>) => ({
  operationId: kind === 'operation' ? id : null,
  participantId: kind === 'participant' ? id : null,
  sellerId: kind === 'producer' ? id : null,
})
