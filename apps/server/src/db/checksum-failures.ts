import type { Db } from './client.ts'

const CHECKSUM_FAILURES_QUERY = `
  select coalesce(sum(checksum_failures), 0)::int as pages, max(checksum_last_failure) as last from pg_stat_database
   where datname = current_database() or datname is null`

type ChecksumFailures = { pages: number; last: Date | null }

/** Checksum failures counted by PostgreSQL since its statistics began; always zero where checksums are disabled. */
export async function loadChecksumFailures({ $client }: Pick<Db, '$client'>): Promise<ChecksumFailures> {
  const { rows } = await $client.query<ChecksumFailures>(CHECKSUM_FAILURES_QUERY)
  return rows[0] ?? { pages: 0, last: null }
}
