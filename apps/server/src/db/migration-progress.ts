import { sql } from 'drizzle-orm'
import type { Db } from './client.ts'

/** Where a migration reports its progress: a terminal, or nowhere. */
export type ProgressReporter = (line: string) => void
type PendingMigration = { name: string; statements: string[] }
type MigrationEstimate = PendingMigration & { tables: string[]; rows: number; seconds: number }

/** Rows that PostgreSQL reads or rewrites per second on a modest disk; only an estimate. */
const ROWS_PER_SECOND = 100_000

/** Statements whose duration grows with the rows of a table: it is scanned, checked or rewritten. */
const SCANNING_STATEMENTS = [
  /^\s*(?:update|delete\s+from|insert\s+into\s+[^;]*?\bselect\b[^;]*?\bfrom)\s+(?:only\s+)?"?(\w+)"?/i,
  /^\s*create\s+(?:unique\s+)?index\b[^;]*?\son\s+(?:only\s+)?"?(\w+)"?/i,
  /^\s*alter\s+table\s+(?:only\s+)?"?(\w+)"?\s[^;]*?(?:add\s+(?:constraint|primary)|set\s+not\s+null|set\s+data\s+type|\btype\s|generated\s)/i,
]

/** The tables that a statement scans, if any; it may be a file of several statements. */
export function findScannedTables(statement: string): string[] {
  // The body of a function is not executed when it is created.
  if (statement.includes('$$')) return []
  return statement
    .replace(/--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .flatMap((one) => SCANNING_STATEMENTS.map((pattern) => pattern.exec(one)?.[1]))
    .filter((table) => table !== undefined)
}

/** Row counts by PostgreSQL's statistics; tables not created yet have none. */
async function loadRowCounts(tx: Db): Promise<Map<string, number>> {
  const { rows } = await tx.execute<{ name: string; rows: number }>(sql`
    select c.relname as name, greatest(c.reltuples, s.n_live_tup, 0)::float8 as rows
      from pg_class c left join pg_stat_all_tables s on s.relid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
  return new Map(rows.map(({ name, rows: count }) => [name, count]))
}

export function estimateMigrations(pending: PendingMigration[], counts: Map<string, number>): MigrationEstimate[] {
  return pending.map((migration) => {
    const scanned = migration.statements.flatMap(findScannedTables)
    const rows = scanned.reduce((sum, table) => sum + (counts.get(table) ?? 0), 0)
    const tables = [...new Set(scanned)].filter((table) => (counts.get(table) ?? 0) > 0)
    return { ...migration, tables, rows, seconds: rows / ROWS_PER_SECOND }
  })
}

const FRENCH_NUMBER = new Intl.NumberFormat('fr-FR')
export function formatDuration(seconds: number): string {
  if (seconds < 1) return 'moins d’une seconde'
  if (seconds < 90) return `${Math.round(seconds)}\u00a0s`
  return `${FRENCH_NUMBER.format(Math.round(seconds / 60))}\u00a0min`
}
const formatCount = (n: number, one: string) => `${FRENCH_NUMBER.format(n)}\u00a0${one}${n > 1 ? 's' : ''}`

function describeStep({ name, tables, rows, seconds }: MigrationEstimate): string {
  if (rows === 0) return name
  return `${name} — ${tables.join(', ')}\u00a0: ${formatCount(Math.round(rows), 'ligne')}, environ ${formatDuration(seconds)}`
}

/**
 * Reports what is about to be done, how long it may take given the rows of the tables, and each step as it begins. For
 * a new database, one line.
 */
export async function startMigrationProgress(
  tx: Db,
  pending: PendingMigration[],
  isNew: boolean,
  say: ProgressReporter,
) {
  const from = performance.now()
  const estimates = isNew || pending.length === 0 ? [] : estimateMigrations(pending, await loadRowCounts(tx))
  const rows = estimates.reduce((sum, one) => sum + one.rows, 0)
  if (isNew) say(`  Création de la base de données (${formatCount(pending.length, 'étape')})`)
  else if (pending.length)
    say(
      `  Mise à jour de la base de données\u00a0: ${formatCount(pending.length, 'étape')}, environ ${formatDuration(rows / ROWS_PER_SECOND)} ` +
        `d’après les ${formatCount(Math.round(rows), 'ligne')} des tables concernées. Ne l’interrompez pas.`,
    )
  return {
    begin(index: number) {
      const estimate = estimates[index]
      if (estimate) say(`  Étape ${index + 1} sur ${pending.length}\u00a0: ${describeStep(estimate)}`)
    },
    end() {
      if (pending.length) say(`  Base de données à jour en ${formatDuration((performance.now() - from) / 1000)}.`)
    },
  }
}
