import pg from 'pg'
import type { Db } from '../../../db/client.ts'
import { DIRECTORY } from '../../../db/schema/directory.ts'

/** Tables of a company that its copy leaves out, each with the reason. */
export const LEFT_OUT: Record<string, string> = {
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
}

/** Tables that are in the copy to be read, and stay where they were: they tell of what happened there. */
export const ONLY_READ: Record<string, string> = {
  audit_entries: 'le journal est signé par l’installation qui l’a écrit',
  audit_heads: 'de même',
  audit_starts: 'de même',
  events: 'ce qui s’est passé ne se passe pas deux fois',
  event_heads: 'de même',
  online_payments: 'elles suivent leur prestataire',
  online_events: 'de même',
  sync_tasks: 'ce qui a été demandé au distributeur',
  sync_windows: 'de même',
  sync_attempts: 'de même',
  sync_errors: 'de même',
  bulk_runs: 'des travaux achevés',
  tickets: 'ils ont été demandés par des personnes d’ici',
  ticket_messages: 'de même',
  ticket_notes: 'de même',
  ticket_files: 'de même',
  messages: 'ils ont été écrits à des personnes d’ici',
  message_recipients: 'de même',
  insights: 'ils nomment ce qui est ici, et chaque nuit les retrouve dans les courbes',
}

/** Columns that are sealed with a key of this installation, and what opens them; without a place they are left out. */
export const SEALED: Record<string, Record<string, (companyId: number, id: string) => string>> = {
  participants: { iban: (companyId, id) => `iban ${companyId} ${id}` },
  sellers: { iban: (companyId, id) => `seller iban ${companyId} ${id}` },
  bank_accounts: { iban: (companyId, id) => `bank account ${companyId} ${id}` },
  mandates: {
    iban: (companyId, id) => `mandate iban ${companyId} ${id}`,
    former_iban: (companyId, id) => `mandate iban ${companyId} ${id}`,
  },
}
export const BLANKED: Record<string, string[]> = { sync_settings: ['file_key'] }

export type CompanyTable = { name: string; columns: string[]; links: Link[] }
/** Columns beside the company that name a row of another table; `free` where they may be empty. */
export type Link = { target: string; columns: string[]; free: boolean }

const COLUMNS = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   group by c.relname having 'company_id' = any (array_agg(a.attname::text)) order by c.relname`
const LINKS = `
  select r.relname as name, t.relname as target,
         array(select a.attname::text from unnest(f.conkey) k(n) join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.n
                where a.attname <> 'company_id') as columns,
         not exists (select from unnest(f.conkey) k(n) join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.n
                where a.attname <> 'company_id' and a.attnotnull) as free
    from pg_constraint f join pg_class r on r.oid = f.conrelid join pg_class t on t.oid = f.confrelid
   where f.contype = 'f' and f.connamespace = 'public'::regnamespace and t.relname <> 'companies'`

/** Every table of a company that its copy holds. */
export async function companyTables({ $client }: Db): Promise<CompanyTable[]> {
  const { rows } = await $client.query<{ name: string; columns: string[] }>(COLUMNS)
  const links = await $client.query<Link & { name: string }>(LINKS)
  return rows
    .filter(({ name }) => !(name in DIRECTORY) && !(name in LEFT_OUT))
    .map((table) => ({ ...table, links: links.rows.filter(({ name }) => name === table.name) }))
}

/**
 * Those that are taken up, each after those it names. What names something that is not taken up is emptied where it may be,
 * and otherwise stays behind too.
 */
export function inOrder(tables: CompanyTable[]): CompanyTable[] {
  let taken = tables.filter(({ name }) => !(name in ONLY_READ))
  const has = (name: string) => taken.some((table) => table.name === name)
  for (let before = -1; before !== taken.length; ) {
    before = taken.length
    taken = taken.filter(({ links }) => links.every(({ target, free }) => free || target === 'users' || has(target)))
  }
  const placed: CompanyTable[] = []
  while (placed.length < taken.length) {
    const ready = taken.filter(
      (table) =>
        !placed.includes(table) &&
        table.links.every(
          ({ target }) => target === table.name || !has(target) || placed.some(({ name }) => name === target),
        ),
    )
    if (!ready.length)
      throw new Error(
        `tables name each other in a ring: ${taken.filter((table) => !placed.includes(table)).map(({ name }) => name)}`,
      )
    placed.push(...ready)
  }
  return placed
}

export const quoted = pg.escapeIdentifier
