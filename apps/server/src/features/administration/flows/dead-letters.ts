import { EVENTS, isEventName } from '@voisol/contract/events'
import type { DeadLetter, DeadLetterKind, DeadLetterQuery } from '@voisol/contract/flows'
import { hasPermission } from '@voisol/contract/permissions'
import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list.ts'
import type { Actor } from '../../../http/actor.ts'
import { getJobLabel } from '../../../jobs/job-names.ts'
import { DEAD_LETTER } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { unsealMail } from '../../people/mail/mail.ts'
import { buildMessageBody } from '../webhooks/webhooks.ts'
import { describeCause } from './words.ts'

/** The jobs of the company; jobs of no company belong to the installation operator. */
export function deadJobScope(actor: Actor, right: 'installation.read' | 'installation.write'): SQL {
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
