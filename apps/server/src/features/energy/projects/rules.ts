import { withDe } from '@voisol/contract/elision'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { CandidateLine } from './lists.ts'

type CandidateIssue = { path: string; message: string }

function findRepeatedPrms(candidates: CandidateLine[]): CandidateIssue[] {
  const first = new Map<string, number>()
  return candidates.flatMap(({ prm, name }, at) => {
    const earlier = prm ? first.get(prm) : undefined
    if (prm && earlier === undefined) first.set(prm, at)
    if (earlier === undefined) return []
    const message = `Le PRM ${prm} ${withDe(name)} est déjà celui ${withDe(candidates[earlier]?.name ?? '')}.`
    return [{ path: `candidates.${at}.prm`, message }]
  })
}

async function findUnknownPoints(db: Db, actor: Actor, candidates: CandidateLine[]): Promise<CandidateIssue[]> {
  const ids = candidates.flatMap(({ pointId }) => (pointId ? [pointId] : []))
  if (!ids.length) return []
  const found = await db
    .select({ id: points.id })
    .from(points)
    .where(and(eq(points.companyId, actor.companyId), eq(points.direction, 'consumption'), inArray(points.id, ids)))
  const known = new Set(found.map(({ id }) => id))
  return candidates.flatMap(({ pointId, name }, at) =>
    pointId && !known.has(pointId)
      ? [{ path: `candidates.${at}.pointId`, message: `Le point de livraison choisi pour ${name} est introuvable.` }]
      : [],
  )
}

/** A PRM is one candidate, and only the company's points have curves. */
export async function requireValidCandidates(db: Db, actor: Actor, candidates: CandidateLine[]) {
  const issues = [...findRepeatedPrms(candidates), ...(await findUnknownPoints(db, actor, candidates))]
  const [first] = issues
  if (first) throw new AppError('invalid', { message: first.message, issues })
}
