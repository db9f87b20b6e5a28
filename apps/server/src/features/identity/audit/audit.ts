import type { AuditDetail, AuditEntry, AuditQuery, ListedEntry } from '@voisol/contract/audit'
import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { SITE_OWNER_ID_QUERY } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, toLimitOffset } from '../../../db/list-query.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

import { getJobLabel } from '../../../jobs/job-names.ts'
import { auditScope, buildAuditCondition } from './audit-filters.ts'

const { seq, actor, label, target } = auditEntries
/** The order of the chain is the order of time. */
const SORT_COLUMNS = { at: seq, actor, label, target }
/** Nobody reads more pages than this, and counting a long log at each request would be slow. */
const MAX_COUNTED_ENTRIES = 10_001

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

const formatDaySql = (column: string) => `to_char(${column}, 'DD/MM/YYYY')`

const formatMomentSql = (column: string) => `to_char(${column} at time zone 'Europe/Paris', 'DD/MM/YYYY HH24:MI')`

const OPERATION_NAME_SQL = `(select o.name from operations o where o.company_id = t.company_id and o.id = t.operation_id)`

const participantNameSql = (
  id: string,
) => `(select case when p.name <> '' then p.name else p.first_name || ' ' || p.last_name end
  from participants p where p.company_id = t.company_id and p.id = t.${id})`

const SELLER_NAME_SQL = `(select s.name from sellers s where s.company_id = t.company_id and s.id = t.seller_id)`

/** The name of an object of each table. The log keeps no names of visitors, whose data must be erased in time. */
const NAME_EXPRESSIONS: Record<string, string> = {
  operations: 't.name',
  participants: `case when t.name <> '' then t.name else t.first_name || ' ' || t.last_name end`,
  points: `case when t.label <> '' then t.label || ' (' || t.prm || ')' else t.prm end`,
  participations: `${participantNameSql('participant_id')} || ', ' || ${OPERATION_NAME_SQL}`,
  consents: `'Accord de ' || ${participantNameSql('participant_id')}`,
  keys: `case when t.label <> '' then t.label else 'Clé ' || t.number end || ', ' || ${OPERATION_NAME_SQL}`,
  allocation_runs: `${OPERATION_NAME_SQL} || ', du ' || ${formatDaySql('t.starts_on')} || ' au ' || ${formatDaySql('t.ends_on - 1')}`,
  curve_imports: 't.name',
  distributor_files: 't.name',
  sync_tasks: `'Synchronisation du ' || ${formatMomentSql('t.created_at')}`,
  enedis_credentials: `'Identifiants Enedis ' || t.hint`,
  documents: 't.label',
  projects: 't.name',
  invoices: 't.number',
  billing_months: `${OPERATION_NAME_SQL} || ', ' || to_char(t.month, 'MM/YYYY')`,
  sellers: 't.name',
  buyer_groups: 't.name',
  payments: `'Paiement du ' || ${formatDaySql('t.booked_on')}`,
  payouts: `'Reversement à ' || ${SELLER_NAME_SQL}`,
  bank_accounts: 't.name',
  mandates: 't.rum',
  debit_runs: `'Prélèvement du ' || ${formatDaySql('t.collection_on')}`,
  supplier_bills: `t.supplier || ' ' || t.number`,
  tariffs: 't.label',
  price_indexes: 't.name',
  contents: `t.draft ->> 'title'`,
  bookings: `'Rendez-vous ' || t.reference`,
  requests: `'Demande du site du ' || ${formatMomentSql('t.created_at')}`,
  api_keys: 't.name',
  webhooks: `substring(t.url from '^https?://([^/?#]+)')`,
  roles: 't.name',
  sso_connections: 't.name',
  company_copies: 't.name',
  insights: `'Constat du ' || ${formatDaySql('t.found_at')} || ', ' || ${OPERATION_NAME_SQL}`,
}

/** Objects of the installation, which appear only in the log of its operator. */
const INSTALLATION_NAME_EXPRESSIONS: Record<string, string> = {
  copy_runs: `case when t.copy <> '' then t.copy else 'Travail du ' || ${formatMomentSql('t.started_at')} end`,
  health_alerts: 't.detail',
  incidents: 't.title',
}

const buildCompanyQuery = ([table, name]: [string, string]) =>
  `select '${table}' as kind, t.id, ${name} as name from ${table} t where t.company_id = $1 and t.id = any ($2::uuid[])`

const buildInstallationQuery = ([table, name]: [string, string]) =>
  `select '${table}', t.id, ${name} from ${table} t where $1 = ${SITE_OWNER_ID_QUERY} and t.id = any ($2::uuid[])`

const PEOPLE_QUERY = `
  select 'users', t.id, t.first_name || ' ' || t.last_name from users t
   where t.id = any ($2::uuid[]) and exists (select from memberships m where m.user_id = t.id and m.company_id = $1)
  union all
  select 'sessions', t.id, 'Session ouverte le ' || ${formatMomentSql('t.created_at')} from sessions t
   where t.id = any ($2::uuid[]) and t.company_id = $1`

const OBJECT_NAMES_QUERY = [
  ...Object.entries(NAME_EXPRESSIONS).map(buildCompanyQuery),
  ...Object.entries(INSTALLATION_NAME_EXPRESSIONS).map(buildInstallationQuery),
  PEOPLE_QUERY,
].join(' union all ')

const JOB_ACTOR_PATTERN = /^tâche (\S+)$/

const formatActorName = (actor: string) =>
  actor.replace(JOB_ACTOR_PATTERN, (_, job: string) => `Tâche\u00a0: ${getJobLabel(job)}`)

/** Adds the current names of the ids in the entries. A deleted object keeps its bare id. */
async function addObjectNames<E extends AuditEntry>(
  { $client }: Db,
  companyId: number,
  entries: E[],
): Promise<(E & ListedEntry)[]> {
  const getTargetId = ({ target }: E) => UUID.exec(target)?.[0]
  const ids = [...new Set(entries.flatMap((entry) => getTargetId(entry) ?? []))]
  type Found = { kind: string; id: string; name: string | null }
  const { rows } = ids.length ? await $client.query<Found>(OBJECT_NAMES_QUERY, [companyId, ids]) : { rows: [] }
  const found = new Map(rows.map((row) => [row.id, row]))
  return entries.map((entry) => {
    const row = found.get(getTargetId(entry) ?? '')
    const object = row?.name ? { kind: row.kind, id: row.id, name: row.name.trim() } : null
    return { ...entry, actorName: formatActorName(entry.actor), object }
  })
}

export async function listAuditEntries(db: Db, who: Actor, query: z.output<typeof AuditQuery>) {
  const where = buildAuditCondition(who, query)
  const { limit, offset } = toLimitOffset(query)
  const further = query.before !== undefined
  const [rows, counted] = await Promise.all([
    db
      .select()
      .from(auditEntries)
      .where(further ? and(where, lt(seq, query.before ?? 0)) : where)
      .orderBy(buildOrderBy(further ? '-at' : query.sort, SORT_COLUMNS, '-at'))
      .limit(limit)
      .offset(further ? 0 : offset),
    db.execute<{ n: number }>(
      sql`select count(*)::int as n from (select 1 from ${auditEntries} where ${where} limit ${MAX_COUNTED_ENTRIES}) as found`,
    ),
  ])
  const last = rows.length === limit ? rows.at(-1) : undefined
  const items = await addObjectNames(db, who.companyId, rows.map(toAuditEntry))
  return { items, total: counted.rows[0]?.n ?? 0, next: last ? String(last.seq) : null }
}

type Row = typeof auditEntries.$inferSelect

const toAuditEntry = (row: Row): AuditEntry => ({
  id: String(row.seq),
  at: row.at.toISOString(),
  actor: row.actor,
  userId: row.userId,
  action: row.action,
  label: row.label,
  target: row.target,
  outcome: row.outcome === 'refused' ? 'refused' : 'done',
})

const StoredDetail = z.record(z.string(), z.unknown()).catch({})

export function toAuditDetail(row: Row): AuditDetail {
  const { byKey, ...detail } = StoredDetail.parse(row.detail)
  const { ip, requestId, hash } = row
  const keyId = typeof byKey === 'string' ? byKey : null
  return { ...toAuditEntry(row), detail, keyId, ip, requestId, hash: hash.toString('hex') }
}

export async function loadAuditEntry(db: Db, who: Actor, id: string): Promise<AuditDetail & ListedEntry> {
  const [row] = await db
    .select()
    .from(auditEntries)
    .where(and(auditScope(who), eq(seq, Number(id))))
  const [entry] = row ? await addObjectNames(db, who.companyId, [toAuditDetail(row)]) : []
  if (!entry) throw new AppError('not-found')
  return entry
}
