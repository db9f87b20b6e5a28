import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import { type PointReference, UNKNOWN_DIRECTION } from './named.ts'

type Point = { id: string; prm: string; direction: string }
export type KnownPoints = {
  prms: string[]
  ids: string[]
  /** Points that the file names and the company does not have. */
  unknown: number
  /** The point with the named direction, or the only one of this PRM when the file names none. */
  find(prm: string, direction: string | null): string | undefined
}

export async function loadKnownPoints(db: Db, companyId: number, named: PointReference[]): Promise<KnownPoints> {
  const asked = [...new Set(named.map(({ prm }) => prm))]
  const rows: Point[] = await db
    .select({ id: points.id, prm: points.prm, direction: points.direction })
    .from(points)
    .where(sql`${points.companyId} = ${companyId} and ${points.prm} = any(${sql.param(asked)}::text[])`)
  const byPrm = Map.groupBy(rows, ({ prm }) => prm)
  const find = (prm: string, direction: string | null) => {
    const known = byPrm.get(prm) ?? []
    const hasDirection = direction !== null && direction !== UNKNOWN_DIRECTION
    return (
      hasDirection ? known.find((point) => point.direction === direction) : known.length === 1 ? known[0] : undefined
    )?.id
  }
  const isKnown = ({ prm, direction }: PointReference) =>
    direction === null ? byPrm.has(prm) : find(prm, direction) !== undefined
  const prms = new Set(named.filter(isKnown).map(({ prm }) => prm))
  return {
    prms: [...prms],
    ids: rows.filter(({ prm }) => prms.has(prm)).map(({ id }) => id),
    unknown: asked.length - prms.size,
    find,
  }
}

/** Locks points in a fixed order, as all writers do, so that files and syncs cannot deadlock. */
export async function lockPoints(tx: Db, companyId: number, ids: string[]): Promise<void> {
  await tx
    .select({ id: points.id })
    .from(points)
    .where(sql`${points.companyId} = ${companyId} and ${points.id} = any(${sql.param(ids)}::uuid[])`)
    .orderBy(points.id)
    .for('no key update')
}
