import type { DeadLetterKind } from '@voisol/contract/flows'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { DEAD_LETTER, enqueue } from '../../../jobs/queue.ts'
import type { JobInputs, JobName } from '../../../jobs/registry.ts'
import { deadJobScope } from './dead-letters.ts'
import { lockFailedRuleDeliveries } from './failed-rules.ts'

type DeadItem = { kind: DeadLetterKind; id: string }
type ReplayDeps = Pick<Deps, 'secrets' | 'config'>

const toSqlAny = (ids: string[]): SQL => sql`any(${sql.param(ids)}::uuid[])`
const getIdsOfKinds = (items: DeadItem[], ...kinds: DeadLetterKind[]) =>
  items.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)

/** Locks the rows until the end of the transaction: of two concurrent requests, the second finds nothing to settle. */
async function lockFailedDeliveries(tx: Db, { companyId }: Actor, ids: string[]) {
  const { rows } = await tx.execute<{ id: string; url: string; status: string }>(sql`
    select d.id, w.url, w.status from webhook_deliveries d
      join webhooks w on w.company_id = d.company_id and w.id = d.webhook_id
     where d.company_id = ${companyId} and d.id = ${toSqlAny(ids)} and d.status = 'failed' order by d.id for update of d`)
  return rows
}

async function replayDeliveries(tx: Db, actor: Actor, ids: string[]): Promise<number> {
  const { companyId } = actor
  const rows = await lockFailedDeliveries(tx, actor, ids)
  const stopped = rows.find(({ status }) => status === 'disabled')
  if (stopped)
    throw new AppError('conflict', {
      message: `Le webhook vers ${stopped.url} est arrêté\u00a0: reprenez-le avant de rejouer ses envois.`,
    })
  const own = rows.map(({ id }) => id)
  await tx.execute(sql`
    update webhook_deliveries set status = 'waiting', attempts = 0, last_error = '', last_status = null, delivered_at = null
     where company_id = ${companyId} and id = ${toSqlAny(own)}`)
  for (const deliveryId of own) await enqueue(tx, 'webhooks.deliver', { companyId, deliveryId })
  return own.length
}

async function discardDeliveries(tx: Db, actor: Actor, ids: string[]): Promise<number> {
  const own = (await lockFailedDeliveries(tx, actor, ids)).map(({ id }) => id)
  await tx.execute(sql`
    update webhook_deliveries set status = 'discarded' where company_id = ${actor.companyId} and id = ${toSqlAny(own)}`)
  return own.length
}

type DeadJob = { id: string; name: string; data: object | null; known: boolean }

/** Removes the failed jobs from the dead letter queue, since a replay is a new job. */
async function deleteDeadJobs(tx: Db, actor: Actor, ids: string[]): Promise<DeadJob[]> {
  const { rows } = await tx.execute<DeadJob>(sql`
    delete from jobs.job j where j.name = ${DEAD_LETTER} and j.state = 'created' and j.id = ${toSqlAny(ids)}
       and ${deadJobScope(actor, 'installation.write')}
    returning j.id, j.source_name as name, j.data, exists (select from jobs.queue q where q.name = j.source_name) as known`)
  return rows
}

async function replayJobs(tx: Db, actor: Actor, ids: string[]): Promise<number> {
  const taken = await deleteDeadJobs(tx, actor, ids)
  const lost = taken.find(({ known }) => !known)
  if (lost)
    throw new AppError('conflict', {
      message: `La tâche «\u00a0${lost.name}\u00a0» n’existe plus dans cette version\u00a0: écartez-la.`,
    })
  // A replay has the original input, which the job validates again.
  for (const { name, data } of taken) await enqueue(tx, name as JobName, (data ?? {}) as JobInputs[JobName])
  return taken.length
}

/** Answers not found when none of the named items is in the user's scope. */
function requireSettled(count: number): number {
  if (count === 0) throw new AppError('not-found')
  return count
}

export async function replayDeadLetters(tx: Db, deps: ReplayDeps, actor: Actor, items: DeadItem[]): Promise<number> {
  const deliveries = await replayDeliveries(tx, actor, getIdsOfKinds(items, 'webhook'))
  const rules = await (await lockFailedRuleDeliveries(tx, actor, getIdsOfKinds(items, 'rule'))).replay(deps)
  return requireSettled(deliveries + rules + (await replayJobs(tx, actor, getIdsOfKinds(items, 'mail', 'job'))))
}

export async function discardDeadLetters(tx: Db, actor: Actor, items: DeadItem[]): Promise<number> {
  const deliveries = await discardDeliveries(tx, actor, getIdsOfKinds(items, 'webhook'))
  const rules = await (await lockFailedRuleDeliveries(tx, actor, getIdsOfKinds(items, 'rule'))).discard()
  return requireSettled(
    deliveries + rules + (await deleteDeadJobs(tx, actor, getIdsOfKinds(items, 'mail', 'job'))).length,
  )
}
