import { allocations } from '@voisol/contract/allocations'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { appendAudit } from '../../../http/audit.ts'
import {
  loadRunShortfall,
  type RunRequest,
  type RunRow,
  type StoredSignOff,
  toRunRow,
} from '../../energy/allocations/allocations.ts'

const REASON =
  'Relevés perdus par le compteur, que le distributeur ne pourra pas rendre\u00a0: le conseil syndical accepte de clore sans eux.'

const toMorning = (day: string) => `${day}T07:42:00Z`
const toSqlMorning = (day: string) => sql`${toMorning(day)}::timestamptz`

async function listProvisionalRuns(tx: Db, { companyId, operationId, from, to }: RunRequest, stale: boolean) {
  const rows = await tx
    .select()
    .from(allocationRuns)
    .where(
      and(
        eq(allocationRuns.companyId, companyId),
        eq(allocationRuns.operationId, operationId),
        eq(allocationRuns.startsOn, from),
        eq(allocationRuns.endsOn, to),
        eq(allocationRuns.kind, 'provisional'),
        eq(allocationRuns.status, 'done'),
        stale ? isNotNull(allocationRuns.staleAt) : isNull(allocationRuns.staleAt),
      ),
    )
  return rows.map(toRunRow)
}

/**
 * Months with missing data are closed as an organiser would do it: with a reason, a signatory and an audit log entry.
 */
async function recordSignOff(
  tx: Db,
  { secrets }: Deps,
  actor: Actor,
  run: RunRow,
  on: string,
): Promise<StoredSignOff | null> {
  const missing = await loadRunShortfall(tx, run)
  if (!missing.length) return null
  const { companyId, userId, email, firstName, lastName } = actor
  const by = `${firstName} ${lastName}`.trim() || email
  const { method, path, summary } = allocations.start
  await appendAudit(tx, secrets, {
    companyId,
    userId,
    actor: email,
    action: `${method} ${path}`,
    label: summary,
    target: `Calcul définitif du ${formatFrenchDay(run.startsOn)} au ${formatFrenchDay(run.endsOn)}, confirmé malgré des manques\u00a0: ${REASON}`,
    outcome: 'done',
    detail: { operationId: run.operationId, runId: run.id, reason: REASON, missing },
    requestId: '',
    ip: '',
  })
  return { reason: REASON, by, at: `${on}T07:42:00.000Z`, missing, userId, inputHash: run.inputHash ?? '' }
}

/**
 * Makes the run definitive on its historical date. Runs are computed as provisional first: the events of a year and a
 * half of definitive runs at once would bury the useful notifications.
 */
export const makeRunDefinitive = (deps: Deps, actor: Actor, request: RunRequest, on: string, staleOn?: string) =>
  transaction(deps.db, async (tx) => {
    for (const run of await listProvisionalRuns(tx, request, staleOn !== undefined)) {
      const signOff = await recordSignOff(tx, deps, actor, run, on)
      const took = Number(run.finishedAt) - Number(run.startedAt)
      await tx.execute(sql`
        update allocation_runs set kind = 'definitive', created_at = ${toSqlMorning(on)}, started_at = ${toSqlMorning(on)},
          sign_off = ${signOff ? JSON.stringify(signOff) : null}::jsonb,
          finished_at = ${new Date(Date.parse(toMorning(on)) + took)}::timestamptz${staleOn ? sql`, stale_at = ${toSqlMorning(staleOn)}` : sql``}
         where company_id = ${run.companyId} and id = ${run.id}`)
    }
  })
