import type { DeadKind } from '@voisol/contract/flows'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { DEAD_LETTER, enqueue } from '../../../jobs/queue.ts'
import type { JobInputs, JobName } from '../../../jobs/registry.ts'
import { jobScope } from './dead-letters.ts'
import { lockFailed } from './failed-rules.ts'

type Item = { kind: DeadKind; id: string }
type Tools = Pick<Deps, 'secrets' | 'config'>

const anyOf = (ids: string[]): SQL => sql`any(${sql.param(ids)}::uuid[])`
const idsOf = (items: Item[], ...kinds: DeadKind[]) =>
  items.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)

/** Held until the transaction ends: of two that settle the same, the second finds nothing. */
async function failedDeliveries(tx: Db, { companyId }: Actor, ids: string[]) {
  const { rows } = await tx.execute<{ id: string; url: string; status: string }>(sql`
    select d.id, w.url, w.status from webhook_deliveries d
      join webhooks w on w.company_id = d.company_id and w.id = d.webhook_id
     where d.company_id = ${companyId} and d.id = ${anyOf(ids)} and d.status = 'failed' order by d.id for update of d`)
  return rows
}

async function replayDeliveries(tx: Db, actor: Actor, ids: string[]): Promise<number> {
  const { companyId } = actor
  const rows = await failedDeliveries(tx, actor, ids)
  const stopped = rows.find(({ status }) => status === 'disabled')
  if (stopped)
    throw new AppError('conflict', {
      message: `Le webhook vers ${stopped.url} est arrêté\u00a0: reprenez-le avant de rejouer ses envois.`,
    })
  const own = rows.map(({ id }) => id)
  await tx.execute(sql`
    update webhook_deliveries set status = 'waiting', attempts = 0, last_error = '', last_status = null, delivered_at = null
     where company_id = ${companyId} and id = ${anyOf(own)}`)
  for (const deliveryId of own) await enqueue(tx, 'webhooks.deliver', { companyId, deliveryId })
  return own.length
}

async function discardDeliveries(tx: Db, actor: Actor, ids: string[]): Promise<number> {
  const own = (await failedDeliveries(tx, actor, ids)).map(({ id }) => id)
  await tx.execute(sql`
    update webhook_deliveries set status = 'discarded' where company_id = ${actor.companyId} and id = ${anyOf(own)}`)
  return own.length
}

type DeadJob = { id: string; name: string; data: object | null; known: boolean }

/** Taken out of the dead letters: what is asked for again is another job. */
async function takeJobs(tx: Db, actor: Actor, ids: string[]): Promise<DeadJob[]> {
  const { rows } = await tx.execute<DeadJob>(sql`
    delete from jobs.job j where j.name = ${DEAD_LETTER} and j.state = 'created' and j.id = ${anyOf(ids)}
       and ${jobScope(actor, 'installation.write')}
    returning j.id, j.source_name as name, j.data, exists (select from jobs.queue q where q.name = j.source_name) as known`)
  return rows
}

async function replayJobs(tx: Db, actor: Actor, ids: string[]): Promise<number> {
  const taken = await takeJobs(tx, actor, ids)
  const lost = taken.find(({ known }) => !known)
  if (lost)
    throw new AppError('conflict', {
      message: `La tâche «\u00a0${lost.name}\u00a0» n’existe plus dans cette version\u00a0: écartez-la.`,
    })
  // Its own input, as it was sent the first time; a job checks what it is given.
  for (const { name, data } of taken) await enqueue(tx, name as JobName, (data ?? {}) as JobInputs[JobName])
  return taken.length
}

/** Out of reach is not there: nothing of what was named could be settled. */
function counted(count: number): number {
  if (count === 0) throw new AppError('not-found')
  return count
}

export async function replayDead(tx: Db, deps: Tools, actor: Actor, items: Item[]): Promise<number> {
  const deliveries = await replayDeliveries(tx, actor, idsOf(items, 'webhook'))
  const rules = await (await lockFailed(tx, actor, idsOf(items, 'rule'))).replay(deps)
  return counted(deliveries + rules + (await replayJobs(tx, actor, idsOf(items, 'mail', 'job'))))
}

export async function discardDead(tx: Db, actor: Actor, items: Item[]): Promise<number> {
  const deliveries = await discardDeliveries(tx, actor, idsOf(items, 'webhook'))
  const rules = await (await lockFailed(tx, actor, idsOf(items, 'rule'))).discard()
  return counted(deliveries + rules + (await takeJobs(tx, actor, idsOf(items, 'mail', 'job'))).length)
}
