import { ENGINE_VERSION } from '@voisol/energy/engine'
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { EstimateBy } from './input.ts'
import type { StoredSignOff } from './sign-off.ts'

export type Kind = 'provisional' | 'definitive'
type Row = typeof allocationRuns.$inferSelect
export type RunRow = Omit<Row, 'kind' | 'estimateBy'> & { kind: Kind; estimateBy: EstimateBy }

export const toRun = (row: Row): RunRow => ({
  ...row,
  kind: row.kind as Kind, // the column holds only the two kinds
  estimateBy: row.estimateBy as EstimateBy, // as above
})

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
  estimateBy?: EstimateBy
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

export async function insertRun(
  tx: Db,
  wanted: Wanted,
  createdBy: string | null,
  { signOff = null, keyId = null }: { signOff?: StoredSignOff | null; keyId?: string | null | undefined } = {},
): Promise<RunRow> {
  const { companyId, operationId, from: startsOn, to: endsOn, kind, estimated, estimateBy = 'own' } = wanted
  const [row] = await tx
    .insert(allocationRuns)
    .values({
      companyId,
      operationId,
      startsOn,
      endsOn,
      kind,
      estimated,
      estimateBy,
      signOff,
      createdBy,
      keyId,
      status: 'queued',
      engineVersion: ENGINE_VERSION,
    })
    .returning()
  if (!row) throw new Error('the run was not created')
  return toRun(row)
}
