import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import { NBSP } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { pointScope } from './scope.ts'

const DIRECTION_LABELS: Record<string, string> = { consumption: 'soutirage', production: 'injection' }

/** The id of a point given by id or PRM, among those the actor may see. */
export async function resolvePointId(db: Db, actor: Actor, ref: string): Promise<string> {
  if (!/^\d{14}$/.test(ref)) return ref
  const found = await db
    .select({ id: points.id, direction: points.direction })
    .from(points)
    .where(and(pointScope(actor), eq(points.prm, ref)))
  const [only, ...more] = found
  if (!only) throw new AppError('not-found')
  if (more.length === 0) return only.id
  const sides = found.map(({ id, direction }) => `${id} (${DIRECTION_LABELS[direction]})`).join(', ')
  throw new AppError('conflict', {
    message: `Le PRM ${ref} est connu en soutirage et en injection${NBSP}: nommez le point par son identifiant. ${sides}.`,
  })
}
