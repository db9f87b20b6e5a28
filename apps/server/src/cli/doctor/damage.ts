import type { Db } from '../../db/client.ts'
import { DATABASE_CORRUPTED, loadChecksumFailures, RESTORE_ADVICE } from '../../db/damaged.ts'
import { createFaultFinding, createOkFinding, type DoctorFinding, formatInteger } from './finding.ts'

const CHECK = 'damage'

/** Damage that PostgreSQL found while reading; unread pages are not checked, which is why a backup reads everything. */
export async function checkDamage(db: Pick<Db, '$client'>): Promise<DoctorFinding[]> {
  const { rows } = await db.$client.query<{ on: boolean }>(`select current_setting('data_checksums') = 'on' as on`)
  if (!rows[0]?.on)
    return [
      createOkFinding(CHECK, 'Pages sans somme de contrôle\u00a0: PostgreSQL ne compte pas celles qui sont abîmées'),
    ]
  const { pages, last } = await loadChecksumFailures(db)
  if (!pages) return [createOkFinding(CHECK, 'Aucune page abîmée n’a été lue')]
  const when = last ? `, la dernière fois le ${last.toISOString()}` : ''
  return [
    createFaultFinding(
      CHECK,
      `${DATABASE_CORRUPTED}\u00a0: ${formatInteger(pages)} lectures refusées${when}`,
      RESTORE_ADVICE,
    ),
  ]
}
