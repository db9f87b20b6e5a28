import { auth, type CurrentUser } from '@voisol/contract/auth'
import type { Space } from '@voisol/contract/permissions'
import { data } from 'react-router'
import { call } from './call.ts'
import { queryClient } from './queries.ts'
import { randomId } from './random-id.ts'
import { getHomePath, goTo } from './redirect.ts'
import { setUser } from './session.ts'
import { SESSION_LOCATION, writeStorage } from './storage.ts'

/** The session is elsewhere: nothing that was read before holds, and the other tabs of this browser hear of it. */
function applySessionMove(user: CurrentUser): CurrentUser {
  setUser(user)
  queryClient.clear()
  writeStorage(SESSION_LOCATION, `${user.companyId} ${user.space} ${randomId()}`)
  return user
}

/** Moves the session to another of the person's companies; any other one does not exist for them. */
export async function switchSessionCompany(user: CurrentUser, companyId: string | number) {
  const known = user.companies.find(({ id }) => String(id) === String(companyId))
  if (!known) throw data(null, { status: 404 })
  return applySessionMove(await call(auth.switchCompany, { body: { companyId: known.id } }))
}

/** Moves the session between back office and portal, to the home of that space. */
export async function switchSessionSpace(space: Space) {
  await goTo(getHomePath(applySessionMove(await call(auth.switchSpace, { body: { space } }))))
}

/** Another tab has moved the session they share: what this one shows is no longer where it is. */
export async function followSessionMove() {
  const user = await call(auth.me, {})
  setUser(user)
  queryClient.clear()
  await goTo(getHomePath(user))
}
