import type { APIRequestContext } from '@playwright/test'
import type { Permission } from '@voisol/contract/permissions'
import { buildBearerHeader, expect, type Person } from './people.ts'

/** The administrator of the demo company, as the helpers of journeys know people. */
export const buildDemoAdmin = (token: string): Person => ({
  email: 'admin@demo.voisol.fr',
  password: '',
  token,
  firstName: 'Claire',
  companyId: 1,
})

/** A role that the administrator's company defines. */
export async function defineRole(request: APIRequestContext, admin: Person, name: string, permissions: Permission[]) {
  const answer = await request.post('/api/roles', { headers: buildBearerHeader(admin), data: { name, permissions } })
  expect(answer.status()).toBe(200)
  return String((await answer.json()).id)
}

/** Gives somebody of the company another role, as they stand now. */
export async function assignRole(request: APIRequestContext, admin: Person, { email }: Person, role: string) {
  const headers = buildBearerHeader(admin)
  const found = await (await request.get(`/api/users?q=${encodeURIComponent(email)}`, { headers })).json()
  const { id, firstName, lastName, phone, version } = found.items[0]
  const answer = await request.patch(`/api/users/${id}`, {
    headers,
    data: { firstName, lastName, phone, role, version },
  })
  expect(answer.status()).toBe(200)
}

export type UserRights = { space: 'office' | 'portal'; permissions: Permission[] }
export const fetchUserRights = async (request: APIRequestContext, person: Person): Promise<UserRights> =>
  (await request.get('/api/auth/me', { headers: buildBearerHeader(person) })).json()
