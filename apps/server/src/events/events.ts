import { EVENTS, type EventData, type EventName } from '@voisol/contract/events'
import { and, eq, sql } from 'drizzle-orm'
import { invalidateAllocationRuns, lockInputsShared } from '../core/outdated-runs.ts'
import { invalidateSitePages } from '../core/site-owner.ts'
import { type Db, transaction } from '../db/client.ts'
import { eventHeads, events } from '../db/schema/index.ts'
import { appendAudit } from '../http/audit.ts'
import { toStableId } from '../jobs/job.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Secrets } from '../secrets.ts'

/** An event to record. */
export type RecordEventInput<N extends EventName = EventName> = {
  companyId: number
  name: N
  /** The id of the object it is about. */
  object: string
  data: EventData<N>
  /** In a job, its name: the audit entry of a call is written by the route, that of a job here. */
  by?: { job: string; secrets: Secrets }
  /** Deduplication key: recorded again, the event is ignored. */
  once?: string
}

/** Handlers that must run in the same transaction; other subscribers run a moment later. */
const IMMEDIATE_HANDLERS = [invalidateAllocationRuns, invalidateSitePages]

const getEventId = ({ companyId, name, once }: RecordEventInput) =>
  once === undefined ? crypto.randomUUID() : toStableId(`event ${companyId} ${name} ${once}`)

/**
 * Records an event in the caller's transaction: the event, immediate handlers, the audit entry of a job and the
 * delivery job are committed or rolled back together. It locks the events of the company until the end, so it is called
 * last.
 */
export const recordEvent = <N extends EventName>(db: Db, happening: RecordEventInput<N>): Promise<void> =>
  transaction(db, async (tx) => {
    const { companyId, name, object, by } = happening
    const data = EVENTS[name].data.parse(happening.data) as EventData<N> // parsed by its own schema
    // Always locked in this order, to avoid deadlocks: inputs of runs, event counter, audit chain.
    await lockInputsShared(tx, companyId)
    const id = getEventId(happening)
    if (happening.once !== undefined && (await isEventRecorded(tx, companyId, id))) return
    const seq = await advanceEventHead(tx, companyId)
    await tx.insert(events).values({ companyId, seq, id, name, object, data })
    for (const follow of IMMEDIATE_HANDLERS) await follow(tx, companyId, name, data)
    if (by) await auditJobEvent(tx, by, { companyId, name, object, data })
    await enqueueEventDelivery(tx, companyId)
  })

type BatchEvent<N extends EventName> = Pick<RecordEventInput<N>, 'object' | 'data'>
const EVENTS_PER_INSERT = 1_000

/** The same for many objects of one call or job: one event each, in that order. */
export const recordEvents = <N extends EventName>(
  db: Db,
  companyId: number,
  name: N,
  all: BatchEvent<N>[],
): Promise<void> =>
  all.length === 0 ? Promise.resolve() : transaction(db, (tx) => insertEvents(tx, companyId, name, all))

async function insertEvents<N extends EventName>(
  tx: Db,
  companyId: number,
  name: N,
  all: BatchEvent<N>[],
): Promise<void> {
  const told = all.map(({ object, data }) => ({ object, data: EVENTS[name].data.parse(data) as EventData<N> })) // as above
  await lockInputsShared(tx, companyId)
  const last = await advanceEventHead(tx, companyId, told.length)
  const rows = told.map((one, at) => ({
    ...one,
    companyId,
    name,
    id: crypto.randomUUID(),
    seq: last - told.length + 1 + at,
  }))
  for (let at = 0; at < rows.length; at += EVENTS_PER_INSERT)
    await tx.insert(events).values(rows.slice(at, at + EVENTS_PER_INSERT))
  for (const { data } of told) for (const follow of IMMEDIATE_HANDLERS) await follow(tx, companyId, name, data)
  await enqueueEventDelivery(tx, companyId)
}

/** Locked first: of two that record the same event, the second finds it recorded. */
async function isEventRecorded(tx: Db, companyId: number, id: string): Promise<boolean> {
  await advanceEventHead(tx, companyId, 0)
  const where = and(eq(events.companyId, companyId), eq(events.id, id))
  return (await tx.select({ id: events.id }).from(events).where(where)).length > 0
}

/** The event counter of the company, locked until the transaction ends. */
async function advanceEventHead(tx: Db, companyId: number, by = 1): Promise<number> {
  const [head] = await tx
    .insert(eventHeads)
    .values({ companyId, seq: by })
    .onConflictDoUpdate({ target: eventHeads.companyId, set: { seq: sql`${eventHeads.seq} + ${by}` } })
    .returning({ seq: eventHeads.seq })
  if (!head) throw new Error('the head of the events is gone')
  return head.seq
}

type AuditedEvent = { companyId: number; name: EventName; object: string; data: object }

/** Lists stay in the event: the audit journal does not repeat every point and day. */
const auditJobEvent = (
  tx: Db,
  { job, secrets }: NonNullable<RecordEventInput['by']>,
  { companyId, name, object, data }: AuditedEvent,
) =>
  appendAudit(tx, secrets, {
    companyId,
    userId: null,
    actor: `tâche ${job}`,
    action: name,
    label: EVENTS[name].label,
    target: object,
    outcome: 'done',
    detail: Object.fromEntries(Object.entries(data).filter(([, value]) => !Array.isArray(value))),
    requestId: '',
    ip: '',
  })

/** A process without a job queue, such as a command, leaves delivery to the next check for pending events. */
export const enqueueEventDelivery = async (tx: Db, companyId: number) => {
  if (tx.$jobs.queue) await enqueue(tx, 'events.deliver', { companyId }, { once: String(companyId) })
}
