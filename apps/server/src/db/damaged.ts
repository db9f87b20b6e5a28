import { causesOf, codeOf } from './causes.ts'
import type { Db } from './client.ts'

/**
 * What lies on the disk is not what was written there: a page or an index that does not hold together (XX001, XX002), a
 * file that is gone (58P01), a disk that no longer reads (58030).
 */
const CODES = ['XX001', 'XX002', '58P01', '58030']

/** What an error says, or what it came from. */
export const isDamaged = (error: unknown): boolean => causesOf(error).some((at) => CODES.includes(codeOf(at)))

export const RESTORE =
  'Arrêtez le service, gardez le dossier tel qu’il est, puis restaurez la dernière copie dans une base vide («\u00a0voisol restore latest\u00a0»)\u00a0; ' +
  'vérifiez le disque et la mémoire de la machine avant de reprendre.'
export const DAMAGED = 'La base de données est abîmée'

const FAILURES = `
  select coalesce(sum(checksum_failures), 0)::int as pages, max(checksum_last_failure) as last from pg_stat_database
   where datname = current_database() or datname is null`
type Failures = { pages: number; last: Date | null }

/** What PostgreSQL itself has counted since its statistics began; it counts none where pages carry no sum. */
export async function damageOf({ $client }: Pick<Db, '$client'>): Promise<Failures> {
  const { rows } = await $client.query<Failures>(FAILURES)
  return rows[0] ?? { pages: 0, last: null }
}
