import { getErrorCauses, getSystemErrorCode } from './causes.ts'
import type { Db } from './client.ts'

/** Corruption: a damaged page or index (XX001, XX002), a missing file (58P01), a disk that cannot be read (58030). */
const CORRUPTION_CODES = ['XX001', 'XX002', '58P01', '58030']

/** Checks the error and its causes. */
export const isCorruptionError = (error: unknown): boolean =>
  getErrorCauses(error).some((at) => CORRUPTION_CODES.includes(getSystemErrorCode(at)))

export const RESTORE_ADVICE =
  'Arrêtez le service, gardez le dossier tel qu’il est, puis restaurez la dernière copie dans une base vide («\u00a0voisol restore latest\u00a0»)\u00a0; ' +
  'vérifiez le disque et la mémoire de la machine avant de reprendre.'
export const DATABASE_CORRUPTED = 'La base de données est abîmée'

const CHECKSUM_FAILURES_QUERY = `
  select coalesce(sum(checksum_failures), 0)::int as pages, max(checksum_last_failure) as last from pg_stat_database
   where datname = current_database() or datname is null`
type ChecksumFailures = { pages: number; last: Date | null }

/** Checksum failures counted by PostgreSQL since its statistics began; always zero where checksums are disabled. */
export async function loadChecksumFailures({ $client }: Pick<Db, '$client'>): Promise<ChecksumFailures> {
  const { rows } = await $client.query<ChecksumFailures>(CHECKSUM_FAILURES_QUERY)
  return rows[0] ?? { pages: 0, last: null }
}
