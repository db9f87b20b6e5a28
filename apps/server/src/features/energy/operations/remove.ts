import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { allocationRuns, documents, keys, operations, participations, projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { lockEnrolments } from '../participants/participants.ts'
import { lockReadableOperation } from './find.ts'

/** Removes an operation that is still a draft; its people and points are kept. */
export async function removeOperation(tx: Db, actor: Actor, id: string) {
  await lockEnrolments(tx, actor.companyId)
  const operation = await lockReadableOperation(tx, actor, id)
  if (operation.status !== 'draft')
    throw new AppError('conflict', {
      message: 'Seul un brouillon peut être supprimé\u00a0: clôturez plutôt l’opération.',
    })
  await requireOperationUnused(tx, actor, id)
  const { companyId } = actor
  const [document] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.companyId, companyId), eq(documents.ownerKind, 'operation'), eq(documents.ownerId, id)))
    .limit(1)
  if (document) throw new AppError('conflict', { message: 'Retirez d’abord les documents joints à cette opération.' })
  await tx
    .update(projects)
    .set({ operationId: null })
    .where(and(eq(projects.companyId, companyId), eq(projects.operationId, id)))
  await tx.delete(keys).where(and(eq(keys.companyId, companyId), eq(keys.operationId, id)))
  await tx
    .delete(participations)
    .where(and(eq(participations.companyId, companyId), eq(participations.operationId, id)))
  await tx.delete(operations).where(and(eq(operations.companyId, companyId), eq(operations.id, id)))
  return operation
}

async function requireOperationUnused(tx: Db, actor: Actor, id: string) {
  const [run] = await tx
    .select({ id: allocationRuns.id })
    .from(allocationRuns)
    .where(and(eq(allocationRuns.companyId, actor.companyId), eq(allocationRuns.operationId, id)))
    .limit(1)
  if (run)
    throw new AppError('conflict', { message: 'Une répartition a été calculée\u00a0: l’opération est conservée.' })
  const { rows } = await tx.execute(sql`
    select 1 from participations p
     where p.company_id = ${actor.companyId} and p.operation_id = ${id}
       and exists (select 1 from curve_days d
                    where d.company_id = p.company_id and d.point_id = p.point_id
                      and d.day >= p.starts_on and d.day < coalesce(p.ends_on, 'infinity'))
     limit 1`)
  if (rows.length)
    throw new AppError('conflict', {
      message: 'Des relevés ont été reçus pour ses points\u00a0: l’opération est conservée.',
    })
}
