import { type Db, queryPrepared } from '../db/client.ts'
import type { PersonRow } from './actor.ts'

/** A person without the information whether they have a portal, which company tables give. */
export type DirectoryPerson<Row extends PersonRow> = Omit<Row, 'livesThere'>

/** Read together with the session where company rows are on the same machine; memberships are m. */
export const HAS_PORTAL_COLUMN = `
  m.role <> 'client' and (exists (
    select 1 from participants p where p.company_id = m.company_id and p.user_id = m.user_id) or exists (
    select 1 from portal_holders ph where ph.company_id = m.company_id and ph.user_id = m.user_id)) as "livesThere"`

const HAS_PORTAL_QUERY = `
  select exists (select 1 from participants where company_id = $1 and user_id = $2)
      or exists (select 1 from portal_holders where company_id = $1 and user_id = $2) as "livesThere"`

/** Read separately with the company known: a join with the session would query every machine. */
export async function addPortalAccess<Row extends DirectoryPerson<PersonRow>>(
  db: Db,
  row: Row,
): Promise<Row & { livesThere: boolean }> {
  if (row.roleKey === 'client') return { ...row, livesThere: false }
  const { rows } = await queryPrepared<{ livesThere: boolean }>(db, 'lives-there', HAS_PORTAL_QUERY, [
    row.companyId,
    row.id,
  ])
  return { ...row, livesThere: rows[0]?.livesThere ?? false }
}
