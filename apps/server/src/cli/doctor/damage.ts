import type { Db } from '../../db/client.ts'
import { DAMAGED, damageOf, RESTORE } from '../../db/damaged.ts'
import { count, type Finding, fault, good } from './finding.ts'

const CHECK = 'damage'

/** What PostgreSQL found wrong when it read; what nobody reads it does not see, which is why a copy reads everything. */
export async function checkDamage(db: Pick<Db, '$client'>): Promise<Finding[]> {
  const { rows } = await db.$client.query<{ on: boolean }>(`select current_setting('data_checksums') = 'on' as on`)
  if (!rows[0]?.on)
    return [good(CHECK, 'Pages sans somme de contrôle\u00a0: PostgreSQL ne compte pas celles qui sont abîmées')]
  const { pages, last } = await damageOf(db)
  if (!pages) return [good(CHECK, 'Aucune page abîmée n’a été lue')]
  const when = last ? `, la dernière fois le ${last.toISOString()}` : ''
  return [fault(CHECK, `${DAMAGED}\u00a0: ${count(pages)} lectures refusées${when}`, RESTORE)]
}
