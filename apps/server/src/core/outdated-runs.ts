import type { EventData, EventName } from '@voisol/contract/events'
import { sql } from 'drizzle-orm'
import type { Db, TouchedDays } from '../db/client.ts'
import { enqueue } from '../jobs/queue.ts'
import { markRollupsStale } from './stale-rollups.ts'

type RunInvalidation = TouchedDays & { reason: string }

type OutdatedRun = { id: string; kind: string; operationId: string; startsOn: string; endsOn: string }

/** At most from the first day of a month to the first of the next. */
const isWithinOneMonth = ({ startsOn, endsOn }: OutdatedRun) =>
  startsOn.endsWith('-01') && endsOn <= Temporal.PlainDate.from(startsOn).add({ months: 1 }).toString()

export const ALLOCATION_INPUTS_LOCK = 0x616c6c6f

/**
 * Changes of run inputs share this lock; the end of a run takes it exclusively. So a change is either seen by the run's
 * last check of its inputs, or finds the run done and marks it.
 */
export const lockInputsShared = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock_shared(${ALLOCATION_INPUTS_LOCK}, ${companyId})`)
export const lockInputsExclusive = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(${ALLOCATION_INPUTS_LOCK}, ${companyId})`)

const uuids = (ids: string[]) => sql`${sql.param(ids)}::uuid[]`

/** An estimate reads that many days before and after a gap. */
export const ESTIMATE_WINDOW_DAYS = 28
const estimateMarginSql = sql`case when r.estimated then ${ESTIMATE_WINDOW_DAYS}::int else 0 end`

/**
 * Marks finished runs as outdated when their input changed: those of the operations, or of the operations of the
 * points, over a period that overlaps [from, to). A run is marked once; the first reason is kept.
 */
export async function markRunsOutdated(tx: Db, companyId: number, change: RunInvalidation): Promise<void> {
  const { operationIds = [], pointIds = [], from, to, reason } = change
  if (!operationIds.length && !pointIds.length) return
  tx.$touched?.push({ operationIds, pointIds, from, to })
  await lockInputsShared(tx, companyId)
  const { rows } = await tx.execute<OutdatedRun>(sql`
    update allocation_runs r set stale_at = now(), stale_reason = ${reason}
     where r.company_id = ${companyId} and r.status = 'done' and r.stale_at is null
       and r.ends_on + ${estimateMarginSql} > ${from}::date and (${to}::date is null or r.starts_on - ${estimateMarginSql} < ${to}::date)
       and (r.operation_id = any(${uuids(operationIds)}) or exists (
         select 1 from participations p
          where p.company_id = ${companyId} and p.operation_id = r.operation_id
            and p.point_id = any(${uuids(pointIds)})
            and p.starts_on < r.ends_on and (${to}::date is null or p.starts_on - ${estimateMarginSql} < ${to}::date)
            and (p.ends_on is null or p.ends_on > r.starts_on and p.ends_on + ${estimateMarginSql} > ${from}::date)))
    returning r.id, r.kind, r.operation_id as "operationId", r.starts_on as "startsOn", r.ends_on as "endsOn"`)
  await enqueueFollowUps(tx, companyId, rows)
}

/** Provisional figures of a month are computed again automatically; a definitive run is for a person to decide. */
async function enqueueFollowUps(tx: Db, companyId: number, marked: OutdatedRun[]) {
  const runIds = marked.filter(({ kind }) => kind === 'definitive').map(({ id }) => id)
  if (runIds.length) await enqueue(tx, 'allocations.stale', { companyId, runIds })
  for (const run of marked)
    if (run.kind === 'provisional' && isWithinOneMonth(run))
      await enqueue(tx, 'allocations.refresh', { companyId, operationId: run.operationId, month: run.startsOn })
}

type Days = { from: string; to: string | null }

const READINGS_CHANGED = 'Des relevés de cette période ont changé.'
/** Month by month, so that a correction of one day does not invalidate the results of a year. */
const toReadingChanges = ({ readings }: Pick<EventData<'curves.received'>, 'readings'>): RunInvalidation[] =>
  readings.flatMap(({ pointIds, days }) => days.map((span) => ({ pointIds, ...span, reason: READINGS_CHANGED })))

const toOperationChange = (operationId: string, days: Days | null, reason: string): RunInvalidation[] =>
  days ? [{ operationIds: [operationId], ...days, reason }] : []

const toMemberChanges = ({ operationId, days }: EventData<'participation.changed'>) =>
  toOperationChange(operationId, days, 'Des participations ont changé.')

const toKeyChanges = ({ operationId, number, days }: EventData<'key.changed'>) =>
  toOperationChange(operationId, days, `La version ${number} de la clé de répartition a changé.`)

/** The results that each event makes outdated. */
const CHANGES_BY_EVENT: { [N in EventName]?: (data: EventData<N>) => RunInvalidation[] } = {
  'curves.imported': toReadingChanges,
  'curves.received': toReadingChanges,
  'participation.started': toMemberChanges,
  'participation.enrolled': toMemberChanges,
  'participation.changed': toMemberChanges,
  'participation.removed': toMemberChanges,
  'participation.transferred': toMemberChanges,
  'key.adopted': toKeyChanges,
  'key.changed': toKeyChanges,
  'operation.updated': ({ operationId, days }) =>
    toOperationChange(operationId, days, 'Le pas ou les plages horaires de l’opération ont changé.'),
  'operation.status-changed': ({ operationId, status, on }) =>
    toOperationChange(operationId, status === 'closed' ? { from: on, to: null } : null, 'L’opération a été clôturée.'),
}

/** Members and step also affect the rollups; readings and runs mark their own days where they are written. */
const changesRollups = (name: string) => name.startsWith('participation.') || name.startsWith('operation.')

export async function invalidateAllocationRuns<N extends EventName>(
  tx: Db,
  companyId: number,
  name: N,
  data: EventData<N>,
) {
  const changes = CHANGES_BY_EVENT[name]?.(data) ?? []
  for (const change of changes) await markRunsOutdated(tx, companyId, change)
  if (changesRollups(name)) await markRollupsStale(tx, companyId, changes)
}
