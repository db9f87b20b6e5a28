import type { CurrentUser } from '@voisol/contract/auth'
import { permissions } from '@voisol/contract/permissions'
import { vi } from 'vitest'

/** For tests: a storage that keeps what it is given. */
export function stubStorage() {
  const values = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  })
  return values
}

/** For tests: a page at that address that remembers where it was sent. */
export function stubPage(address = 'http://voisol.test/dashboard') {
  const visited: string[] = []
  const { pathname, search, origin, protocol } = new URL(address)
  const page = { pathname, search, origin, protocol, assign: (to: string) => void visited.push(to) }
  vi.stubGlobal('location', page)
  const document = { cookie: '' }
  vi.stubGlobal('document', document)
  return { visited, document }
}

export const buildResponse = (body: unknown, status = 200) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })

/** For tests: an administrator of the company that keeps the site. */
export const testUser: CurrentUser = {
  id: '3f0e5c0e-4a53-4c8f-9d4e-0f3c5a6b7c8d',
  email: 'claire@exemple.fr',
  firstName: 'Claire',
  lastName: 'Martin',
  phone: '',
  role: 'admin',
  isAdmin: true,
  roleName: 'Administrateur',
  space: 'office',
  spaces: ['office'],
  permissions: [...permissions],
  operationIds: null,
  companyId: 1,
  companyName: 'Les Toits Partagés',
  companies: [{ id: 1, name: 'Les Toits Partagés' }],
  secondFactor: false,
  secondFactors: [],
  duty: null,
  emailVerified: true,
  trialEndsAt: null,
  exampleOf: null,
  readOnly: false,
  version: 1,
}
