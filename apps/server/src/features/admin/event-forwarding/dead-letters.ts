import { EVENTS, isEventName } from '@voisol/contract/events'
import type { DeadLetter, DeadLetterKind, DeadLetterQuery } from '@voisol/contract/flows'
import { hasPermission } from '@voisol/contract/permissions'
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list-query.ts'
import { flowDeliveries, flowRules } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { JobInputs, JobName } from '../../../jobs/job.ts'
import { getJobLabel } from '../../../jobs/job-names.ts'
import { DEAD_LETTER, enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { unsealMail } from '../../identity/mail/index.ts'
import { buildMessageBody } from '../webhooks/index.ts'
import { sendDelivery } from './flow-deliveries.ts'

/** The jobs of the company; jobs of no company belong to the installation operator. */
function deadJobScope(actor: Actor, right: 'installation.read' | 'installation.write'): SQL {
  const own = sql`j.data ->> 'companyId' = ${String(actor.companyId)}`
  return hasPermission(actor, right) ? sql`(${own} or j.data ->> 'companyId' is null)` : own
}

type DeadLetterRow = {
  kind: DeadLetterKind
  id: string
  what: string
  to: string
  cause: string
  at: string
  attempts: number
  payload: unknown
}

const buildDeadLettersQuery = (actor: Actor) => sql`
  select 'webhook' as kind, d.id, d.event as what, w.url as "to", d.last_error as cause, d.created_at as at,
         d.attempts, d.payload
    from webhook_deliveries d join webhooks w on w.company_id = d.company_id and w.id = d.webhook_id
   where d.company_id = ${actor.companyId} and d.status = 'failed'
  union all
  select 'rule', f.id, f.event, r.name, f.error, f.created_at, 1, f.payload
    from flow_deliveries f join flow_rules r on r.company_id = f.company_id and r.id = f.rule_id
   where f.company_id = ${actor.companyId} and f.status = 'failed'
  union all
  select case j.source_name when 'mail.send' then 'mail' else 'job' end, j.id, coalesce(j.source_name, ''), '',
         coalesce(j.source_output ->> 'message', ''), j.created_on, coalesce(j.source_retry_count, 0) + 1, j.data
    from jobs.job j
   where j.name = ${DEAD_LETTER} and j.state = 'created' and ${deadJobScope(actor, 'installation.read')}`

const HIDDEN_FIELDS = /secret|token|sealed|password|iban|key$/i
/** Removes secret fields by their name. */
const hideSecretFields = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, HIDDEN_FIELDS.test(key) ? '(masqué)' : one]))
    : value
const toMaskedJson = (value: unknown) => JSON.stringify(value, hideSecretFields, 2)

const maskAddress = (address: string) => address.replace(/^(.)[^@]*/, '$1…')

/** A mail may contain a sign-in link: only its subject and a masked address are shown. */
function describeMail(secrets: Secrets, payload: unknown): { to: string; payload: string } {
  const mail = unsealMail(secrets, payload)
  if (!mail) return { to: '', payload: '' }
  return {
    to: maskAddress(mail.to),
    payload: toMaskedJson({ objet: mail.subject, destinataire: maskAddress(mail.to) }),
  }
}

/** French causes for the English error messages, for those who decide what to do; the log keeps the full message. */
const CAUSES: [RegExp, string][] = [
  [/message was refused|recipient|mailbox/i, 'Le serveur de messagerie a refusé ce message\u00a0: vérifiez l’adresse.'],
  [/input is not what this job takes/, 'Cette tâche a été demandée par une autre version de Voisol\u00a0: écartez-la.'],
  [/events wait for/, 'Un abonné n’a pas pu traiter un événement\u00a0: il garde sa place.'],
  [/heartbeat|expired|process stopped/i, 'La tâche s’est arrêtée avec son serveur, ou a dépassé son temps.'],
  [/ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ESOCKET|timeout|greeting/i, 'Le service appelé n’a pas répondu.'],
]

const UNEXPECTED_CAUSE =
  'Une erreur inattendue a arrêté cette tâche à chaque essai\u00a0; le journal du serveur la décrit.'

const describeCause = (message: string) => CAUSES.find(([pattern]) => pattern.test(message))?.[1] ?? UNEXPECTED_CAUSE

function toDeadLetter(secrets: Secrets, row: DeadLetterRow): DeadLetter {
  const { kind, id, attempts, at } = row
  const common = { kind, id, attempts, at: new Date(at).toISOString() }
  if (kind === 'mail')
    return { ...common, what: 'E-mail', cause: describeCause(row.cause), ...describeMail(secrets, row.payload) }
  if (kind === 'job')
    return {
      ...common,
      what: getJobLabel(row.what),
      to: '',
      cause: describeCause(row.cause),
      payload: toMaskedJson(row.payload),
    }
  const what = isEventName(row.what) ? EVENTS[row.what].label : 'Événement d’essai'
  const payload = kind === 'webhook' ? toMaskedJson(JSON.parse(buildMessageBody(row))) : toMaskedJson(row.payload)
  return { ...common, what, to: row.to, cause: row.cause, payload }
}

type DeadLetterPage = { items: DeadLetter[]; total: number }

/** Everything that failed and is no longer retried, of every kind, newest first. */
export async function listDeadLetters(
  db: Db,
  secrets: Secrets,
  actor: Actor,
  query: z.output<typeof DeadLetterQuery>,
): Promise<DeadLetterPage> {
  const { limit, offset } = toLimitOffset(query)
  const where = query.kind ? sql`where kind = ${query.kind}` : sql``
  const { rows } = await db.execute<DeadLetterRow & { total: number }>(sql`
    select *, count(*) over ()::int as total from (${buildDeadLettersQuery(actor)}) dead ${where}
     order by at desc, id limit ${limit} offset ${offset}`)
  const total =
    rows[0]?.total ?? (offset > 0 ? (await listDeadLetters(db, secrets, actor, { ...query, page: 1 })).total : 0)
  return { items: rows.map((row) => toDeadLetter(secrets, row)), total }
}

/** Failed rule deliveries, locked until the end of the transaction, with the actions that settle them. */
async function lockFailedRuleDeliveries(tx: Db, { companyId }: Actor, ids: string[]) {
  const own = eq(flowDeliveries.companyId, companyId)
  const rows = ids.length
    ? await tx
        .select({ row: flowDeliveries, rule: flowRules })
        .from(flowDeliveries)
        .innerJoin(
          flowRules,
          and(eq(flowRules.companyId, flowDeliveries.companyId), eq(flowRules.id, flowDeliveries.ruleId)),
        )
        .where(and(own, inArray(flowDeliveries.id, ids), eq(flowDeliveries.status, 'failed')))
        .orderBy(asc(flowDeliveries.id))
        .for('update', { of: flowDeliveries })
    : []
  return {
    /**
     * Sends to the current destination of the rule; when one still fails, its error is thrown and nothing is changed.
     */
    async replay(deps: Pick<Deps, 'secrets' | 'config'>): Promise<number> {
      for (const { row, rule } of rows) {
        const error = await sendDelivery(tx, deps, rule, row)
        if (error) throw new AppError('conflict', { message: `Règle «\u00a0${rule.name}\u00a0»\u00a0: ${error}` })
      }
      return rows.length
    },
    async discard(): Promise<number> {
      const found = rows.map(({ row }) => row.id)
      if (found.length)
        await tx
          .update(flowDeliveries)
          .set({ status: 'discarded' })
          .where(and(own, inArray(flowDeliveries.id, found)))
      return found.length
    },
  }
}

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
