import { and, eq, gte, isNull, lt } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import { monthsOf } from './compute.ts'
import { byClass, byPair, createResultHash } from './result-hash.ts'
import type { RunRow } from './runs.ts'
import { readDays, readPairs, readTotals } from './stored-days.ts'

const NO_STEPS = new Int32Array(0)

/** The hash of a run's sums alone: by day, by class and by pair. */
export async function hashSums(db: Db, run: Pick<RunRow, 'companyId' | 'id' | 'startsOn' | 'endsOn'>): Promise<string> {
  const hash = createResultHash()
  for (const { from, to } of monthsOf({ from: run.startsOn, to: run.endsOn }))
    for (const row of await readDays(db, run, from, to)) hash.day({ ...row, allocated: NO_STEPS })
  for (const row of (await readTotals(db, run)).sort(byClass)) hash.total(row)
  for (const row of (await readPairs(db, run)).sort(byPair)) hash.pair(row)
  return hash.digest()
}

/** Before the steps of a month go: the sums of each run over it are named, to be held against that name afterwards. */
export async function sealSums(tx: Db, companyId: number, { from, to }: { from: string; to: string }): Promise<void> {
  const runs = await tx
    .select()
    .from(allocationRuns)
    .where(
      and(
        eq(allocationRuns.companyId, companyId),
        eq(allocationRuns.status, 'done'),
        isNull(allocationRuns.keptHash),
        lt(allocationRuns.startsOn, to),
        gte(allocationRuns.endsOn, from),
      ),
    )
  for (const run of runs)
    await tx
      .update(allocationRuns)
      .set({ keptHash: await hashSums(tx, run) })
      .where(and(eq(allocationRuns.companyId, companyId), eq(allocationRuns.id, run.id)))
}
