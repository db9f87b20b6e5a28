import type { Db } from '../../db/client.ts'
import { createOkFinding, createWarningFinding, type DoctorFinding, formatInteger } from './finding.ts'

const CHECK = 'keys'
/** Keys that are still valid. */
const API_KEYS_QUERY = `
  select count(*) filter (where created_at < now() - interval '1 year')::int as old,
         count(*) filter (where expires_on < current_date + 14)::int as ending,
         count(distinct company_id) filter (where created_at < now() - interval '1 year')::int as companies
    from api_keys
   where revoked_at is null and retires_at is null and (expires_on is null or expires_on >= current_date)`

export async function checkKeys({ $client }: Db): Promise<DoctorFinding[]> {
  const { rows } = await $client.query<{ old: number; ending: number; companies: number }>(API_KEYS_QUERY)
  const { old, ending, companies } = rows[0] ?? { old: 0, ending: 0, companies: 0 }
  const found: DoctorFinding[] = []
  if (old)
    found.push(
      createWarningFinding(
        CHECK,
        `${formatInteger(old)} clé(s) d’API de plus d’un an, de ${formatInteger(companies)} organisation(s)`,
        'Demandez à qui les tient de les remplacer à /admin/api-keys\u00a0: l’ancienne ouvre encore quelques jours.',
      ),
    )
  if (ending)
    found.push(
      createWarningFinding(
        CHECK,
        `${formatInteger(ending)} clé(s) d’API finissent sous quatorze jours`,
        'Leurs organisations sont prévenues\u00a0: remplacez-les à /admin/api-keys.',
      ),
    )
  return found.length ? found : [createOkFinding(CHECK, 'Clés d’API de moins d’un an')]
}
