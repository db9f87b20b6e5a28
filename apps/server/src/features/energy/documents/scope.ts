import { and, eq } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { documents } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** With a limit, only documents of one's operations: a project belongs to the whole company. */
export const documentScope = (actor: Actor) =>
  and(
    eq(documents.companyId, actor.companyId),
    actor.operationIds
      ? and(eq(documents.ownerKind, 'operation'), withinOperationLimit(actor, documents.ownerId))
      : undefined,
  )
