import { ENGINE_VERSION } from '@voisol/energy/engine'
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'

export type Kind = 'provisional' | 'definitive'
export type RunRow = Omit<typeof allocationRuns.$inferSelect, 'kind'> & { kind: Kind }

// The column holds only the two kinds.
export const toRun = (row: typeof allocationRuns.$inferSelect): RunRow => ({ ...row, kind: row.kind as Kind })

export async function findRun(db: Db, companyId: number, id: string): Promise<RunRow | undefined> {
  const where = and(eq(allocationRuns.companyId, companyId), eq(allocationRuns.id, id))
  const [row] = await db.select().from(allocationRuns).where(where)
  return row && toRun(row)
}

export type Wanted = {
  companyId: number
  operationId: string
  from: string
  to: string
  kind: Kind
  estimated: boolean
}

const same = ({ companyId, operationId, from, to, kind }: Wanted) =>
  and(
    eq(allocationRuns.companyId, companyId),
    eq(allocationRuns.operationId, operationId),
    eq(allocationRuns.startsOn, from),
    eq(allocationRuns.endsOn, to),
    eq(allocationRuns.kind, kind),
  )

/** One of the same kind for the same period that waits or is at work. */
export async function findPending(db: Db, wanted: Wanted): Promise<RunRow | undefined> {
  const where = and(same(wanted), inArray(allocationRuns.status, ['queued', 'running']))
  const [row] = await db.select().from(allocationRuns).where(where).limit(1)
  return row && toRun(row)
}

/** One that has already given what this one would. */
export async function findEqual(db: Db, wanted: Wanted, inputHash: string): Promise<RunRow | undefined> {
  const where = and(
    same(wanted),
    eq(allocationRuns.status, 'done'),
    eq(allocationRuns.estimated, wanted.estimated),
    eq(allocationRuns.inputHash, inputHash),
    isNull(allocationRuns.staleAt),
  )
  const [row] = await db.select().from(allocationRuns).where(where).orderBy(desc(allocationRuns.createdAt)).limit(1)
  return row && toRun(row)
}

export async function insertRun(tx: Db, wanted: Wanted, createdBy: string | null): Promise<RunRow> {
  const { from: startsOn, to: endsOn, ...rest } = wanted
  const [row] = await tx
    .insert(allocationRuns)
    .values({ ...rest, startsOn, endsOn, createdBy, status: 'queued', engineVersion: ENGINE_VERSION })
    .returning()
  if (!row) throw new Error('the run was not created')
  return toRun(row)
}
