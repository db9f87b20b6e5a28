import { type Db, prepared } from '../db/client.ts'
import type { PersonRow } from './actor.ts'

/** A person as the directory knows them: whether they also live there is told by the rows of their company. */
export type Found<Row extends PersonRow> = Omit<Row, 'livesThere'>

const LIVES_THERE = `
  select exists (select 1 from participants where company_id = $1 and user_id = $2)
      or exists (select 1 from portal_holders where company_id = $1 and user_id = $2) as "livesThere"`

/** Asked apart, with the company known: joined to a session it would be looked for on every machine. */
export async function withHome<Row extends Found<PersonRow>>(db: Db, row: Row): Promise<Row & { livesThere: boolean }> {
  if (row.roleKey === 'client') return { ...row, livesThere: false }
  const { rows } = await prepared<{ livesThere: boolean }>(db, 'lives-there', LIVES_THERE, [row.companyId, row.id])
  return { ...row, livesThere: rows[0]?.livesThere ?? false }
}
