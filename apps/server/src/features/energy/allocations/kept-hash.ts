import { and, eq, gte, isNull, lt } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import { splitIntoMonths } from './compute.ts'
import { comparePairRows, compareTotalRows, createResultHash } from './result-hash.ts'
import type { RunRow } from './runs.ts'
import { loadRunDayRows, loadRunPairRows, loadRunTotalRows } from './stored-days.ts'

const NO_STEPS = new Int32Array(0)

/** The hash of a run's sums only: by day, by class and by pair. */
export async function computeSumsHash(
  db: Db,
  run: Pick<RunRow, 'companyId' | 'id' | 'startsOn' | 'endsOn'>,
): Promise<string> {
  const hash = createResultHash()
  for (const { from, to } of splitIntoMonths({ from: run.startsOn, to: run.endsOn }))
    for (const row of await loadRunDayRows(db, run, from, to)) hash.day({ ...row, allocated: NO_STEPS })
  for (const row of (await loadRunTotalRows(db, run)).sort(compareTotalRows)) hash.total(row)
  for (const row of (await loadRunPairRows(db, run)).sort(comparePairRows)) hash.pair(row)
  return hash.digest()
}

/** Before the steps of a month are deleted, hashes the sums of each run over it, for verification afterwards. */
export async function storeSumsHashes(
  tx: Db,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
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
      .set({ keptHash: await computeSumsHash(tx, run) })
      .where(and(eq(allocationRuns.companyId, companyId), eq(allocationRuns.id, run.id)))
}
