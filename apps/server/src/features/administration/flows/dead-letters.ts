import { EVENTS, isEventName } from '@voisol/contract/events'
import type { DeadKind, DeadLetter, DeadQuery } from '@voisol/contract/flows'
import { can } from '@voisol/contract/permissions'
import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/list.ts'
import type { Actor } from '../../../http/actor.ts'
import { jobName } from '../../../jobs/job-names.ts'
import { DEAD_LETTER } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { openMail } from '../../people/mail/mail.ts'
import { bodyOf } from '../webhooks/webhooks.ts'
import { causeWords } from './words.ts'

/** The jobs of the company; those that are nobody's, the keeper's. */
export function jobScope(actor: Actor, right: 'installation.read' | 'installation.write'): SQL {
  const own = sql`j.data ->> 'companyId' = ${String(actor.companyId)}`
  return can(actor, right) ? sql`(${own} or j.data ->> 'companyId' is null)` : own
}

type Row = {
  kind: DeadKind
  id: string
  what: string
  to: string
  cause: string
  at: string
  attempts: number
  payload: unknown
}

const deadOf = (actor: Actor) => sql`
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
   where j.name = ${DEAD_LETTER} and j.state = 'created' and ${jobScope(actor, 'installation.read')}`

const HIDDEN = /secret|token|sealed|password|iban|key$/i
/** Whatever must stay hidden is left out by the name it bears. */
const cleaned = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, HIDDEN.test(key) ? '(masqué)' : one]))
    : value
const json = (value: unknown) => JSON.stringify(value, cleaned, 2)

const masked = (address: string) => address.replace(/^(.)[^@]*/, '$1…')

/** A message may hold a link that opens an account: its subject and a masked address are all that is shown. */
function mailOf(secrets: Secrets, payload: unknown): { to: string; payload: string } {
  const mail = openMail(secrets, payload)
  if (!mail) return { to: '', payload: '' }
  return { to: masked(mail.to), payload: json({ objet: mail.subject, destinataire: masked(mail.to) }) }
}

function toLetter(secrets: Secrets, row: Row): DeadLetter {
  const { kind, id, attempts, at } = row
  const common = { kind, id, attempts, at: new Date(at).toISOString() }
  if (kind === 'mail')
    return { ...common, what: 'E-mail', cause: causeWords(row.cause), ...mailOf(secrets, row.payload) }
  if (kind === 'job')
    return { ...common, what: jobName(row.what), to: '', cause: causeWords(row.cause), payload: json(row.payload) }
  const what = isEventName(row.what) ? EVENTS[row.what].label : 'Événement d’essai'
  const payload = kind === 'webhook' ? json(JSON.parse(bodyOf(row))) : json(row.payload)
  return { ...common, what, to: row.to, cause: row.cause, payload }
}

type Listed = { items: DeadLetter[]; total: number }

/** What did not leave and is no longer tried, whatever carried it; the newest first. */
export async function listDead(
  db: Db,
  secrets: Secrets,
  actor: Actor,
  query: z.output<typeof DeadQuery>,
): Promise<Listed> {
  const { limit, offset } = pageOf(query)
  const where = query.kind ? sql`where kind = ${query.kind}` : sql``
  const { rows } = await db.execute<Row & { total: number }>(sql`
    select *, count(*) over ()::int as total from (${deadOf(actor)}) dead ${where}
     order by at desc, id limit ${limit} offset ${offset}`)
  const total = rows[0]?.total ?? (offset > 0 ? (await listDead(db, secrets, actor, { ...query, page: 1 })).total : 0)
  return { items: rows.map((row) => toLetter(secrets, row)), total }
}
