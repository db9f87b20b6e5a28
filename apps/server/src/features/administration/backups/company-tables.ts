import pg from 'pg'
import type { Db } from '../../../db/client.ts'
import { COMPANY_ARCHIVE, isSealedIban } from '../../../db/schema/company-archive/company-archive.ts'
import { DIRECTORY } from '../../../db/schema/directory.ts'

/** Tables of a company that its copy leaves out, each with the reason. */
export const EXCLUDED_FROM_COPY: Record<string, string> = {
  api_keys: 'les clés d’API sont des secrets',
  webhooks: 'leur secret de signature en est un',
  webhook_deliveries: 'elles suivent leurs webhooks',
  webhook_attempts: 'elles suivent leurs webhooks',
  enedis_credentials: 'les identifiants du distributeur sont des secrets',
  enedis_answers: 'ce que le distributeur a répondu mot pour mot, déjà lu dans les courbes',
  online_providers: 'les clés du prestataire de paiement sont des secrets',
  connections: 'leurs réglages tiennent des secrets',
  connection_runs: 'ils suivent leurs connexions',
  connection_steps: 'elles suivent leurs connexions',
  connection_deliveries: 'elles suivent leurs connexions',
  data_exports: 'leurs fichiers se refont',
  export_plans: 'ils suivent leurs connexions',
  notifications: 'elles sont à leurs destinataires',
  portal_visits: 'elles sont à des personnes d’ici',
  portal_views: 'elles sont à des sessions d’ici',
  portal_holders: 'ils mènent à des personnes d’ici',
  portal_letters: 'leurs codes n’ouvrent qu’ici',
  event_cursors: 'l’avancement de ce serveur',
  event_sums: 'de même',
  flow_rules: 'elles mènent à des webhooks et à des personnes d’ici',
  flow_deliveries: 'elles suivent leurs règles',
  report_schedules: 'ils mènent à des personnes d’ici',
  company_copies: 'les copies elles-mêmes',
  insight_looks: 'l’avancement de ce serveur',
  site_revisions: 'l’avancement de ce serveur',
  sso_attempts: 'elles sont à des sessions d’ici',
}

/** Columns that are sealed with a key of this installation, and what opens them: what a copy holds is the company's own. */
export const listSealedColumns = (
  table: string,
): [column: string, place: (companyId: number, id: string) => string][] =>
  Object.entries(COMPANY_ARCHIVE[table]?.columns ?? {}).flatMap(([name, column]) =>
    isSealedIban(column) ? [[name, (companyId, id) => `${column.sealedFor} ${companyId} ${id}`]] : [],
  )
/** Secret columns, by table, that a copy replaces by null. */
export const REDACTED_COLUMNS: Record<string, string[]> = {
  sync_settings: ['file_key'],
  sso_connections: ['client_secret', 'signing_key', 'scim_hash'],
}

export type CompanyTable = { name: string; columns: string[] }

const COLUMNS_QUERY = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   group by c.relname having 'company_id' = any (array_agg(a.attname::text)) order by c.relname`

/** Every table of a company that its copy holds. */
export async function listCompanyTables({ $client }: Db): Promise<CompanyTable[]> {
  const { rows } = await $client.query<CompanyTable>(COLUMNS_QUERY)
  return rows.filter(({ name }) => !(name in DIRECTORY) && !(name in EXCLUDED_FROM_COPY))
}

export const quoteIdentifier = pg.escapeIdentifier
