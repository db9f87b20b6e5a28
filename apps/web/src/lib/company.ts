import { auth, type CurrentUser } from '@voisol/contract/auth'
import { data } from 'react-router'
import { call } from './call.ts'
import { queryClient } from './queries.ts'
import { setUser } from './session.ts'

/** Moves the session to another of the administrator's companies; any other one does not exist for them. */
export async function openCompany(user: CurrentUser, companyId: string | number) {
  const known = user.companies.find(({ id }) => String(id) === String(companyId))
  if (!known) throw data(null, { status: 404 })
  setUser(await call(auth.switchCompany, { body: { companyId: known.id } }))
  queryClient.clear()
}
