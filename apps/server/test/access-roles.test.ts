import { endpoints } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { PERMISSIONS, type Permission } from '@voisol/contract/permissions'
import { BUILT_IN_ROLES, ROLES } from '@voisol/contract/roles'
import { describe, expect, test } from 'vitest'
import { formatEndpoint } from './access-bodies.ts'
import { makeEndpointParams } from './access-makers.ts'
import { call } from './client.ts'
import { ensureSiteOwner, makeApiKey, makeCompany, makeSiteAdmin, makeUser } from './factories.ts'
import { makeOperation, makeParticipant } from './factories-energy.ts'
import { useServer } from './server.ts'

const server = useServer()
const CUSTOM_ROLE_PERMISSIONS: Permission[] = [
  'operations.read',
  'participants.write',
  'energy.read',
  'users.read',
  'content.write',
]
const KEYS: Permission[] = ['operations.read', 'operations.write', 'consents.write', 'webhooks.read']

/** A caller, and the access expected: a list of permissions, the portal, or neither. */
type Caller = { token: string; rights: readonly Permission[]; limited?: true; site?: true; portal?: true; key?: true }
const callers = new Map<string, Caller>()
let companyId: number

/** A company and its callers. */
async function prepareCallers() {
  const site = await makeSiteAdmin(server.db)
  companyId = (await makeCompany(server.db)).id
  const here = { companyId }
  const { id: operationId } = await makeOperation(server.db, here)
  callers.set('site', { token: site.token, rights: ROLES.admin.permissions, site: true })
  for (const role of BUILT_IN_ROLES) {
    const { token } = await makeUser(server.db, { ...here, role })
    callers.set(role, { token, rights: ROLES[role].permissions, ...(role === 'client' && { portal: true }) })
  }
  const own = await makeUser(server.db, { ...here, permissions: CUSTOM_ROLE_PERMISSIONS })
  callers.set('a role of the company', { token: own.token, rights: CUSTOM_ROLE_PERMISSIONS })
  const limited = { ...here, operationIds: [operationId] }
  const one = await makeUser(server.db, { ...limited, role: 'admin' })
  callers.set('an administrator of one operation', { token: one.token, rights: ROLES.admin.permissions, limited: true })
  const both = await makeUser(server.db, { ...here, role: 'admin' })
  await makeParticipant(server.db, { ...here, userId: both.id })
  await server.db.execute(`update sessions set space = 'portal' where user_id = '${both.id}'`)
  callers.set('an administrator in the portal', { token: both.token, rights: [], portal: true })
  const maker = await makeUser(server.db, { ...here, role: 'admin' })
  const key = await makeApiKey(server.db, maker, { permissions: KEYS })
  callers.set('a key', { token: key, rights: KEYS, key: true })
  const reader = await makeUser(server.db, { ...here, role: 'reader' })
  const more = await makeApiKey(server.db, reader, { permissions: KEYS, operationIds: [operationId] })
  const left = KEYS.filter((permission) => permission.endsWith('.read'))
  callers.set('a key with more than its maker', { token: more, rights: left, key: true, limited: true })
}

function expected(e: Endpoint, { rights, limited, site, portal, key }: Caller): number | undefined {
  const { access } = e
  if (access === 'public') return undefined
  if (access === 'signed-in') return key ? 403 : undefined
  if (portal) return access.portal ? undefined : 403
  if (!access.permission) return 403
  const { whole, site: ofSite } = PERMISSIONS[access.permission] as { whole?: true; site?: true } // rows differ
  const kept = !(limited && whole) && (!ofSite || site)
  return kept && rights.includes(access.permission) ? undefined : 403
}

/** Calls add data, and lists would grow with every endpoint: after this many, a new company is used. */
const TOGETHER = 20

describe('for every endpoint and caller the answer equals the declared access', () => {
  for (const [at, e] of endpoints.entries())
    test(formatEndpoint(e), async () => {
      if (!callers.size || at % TOGETHER === 0) await prepareCallers()
      const body = e.body ? {} : undefined
      const owners = {
        here: await makeUser(server.db, { companyId, role: 'client' }),
        site: await makeUser(server.db, { companyId: await ensureSiteOwner(server.db), role: 'client' }),
      }
      // A refused or reading call changes nothing, so that one object serves them all.
      const kept = await makeEndpointParams(server, e, owners.here)
      // Public endpoints need no check, and might sign the caller out.
      for (const [who, caller] of e.access === 'public' ? [] : callers) {
        const isKept = !caller.site && (e.method === 'GET' || expected(e, caller) !== undefined)
        const params = isKept ? kept : await makeEndpointParams(server, e, caller.site ? owners.site : owners.here)
        const { status, headers } = await call(server, e, { params, body }, { token: caller.token })
        expect({ who, refusal: [401, 403].includes(status) ? status : undefined }).toEqual({
          who,
          refusal: expected(e, caller),
        })
        expect(status).toBeLessThan(500)
        if (status >= 400) expect(headers['content-type']).toContain('application/problem+json')
      }
      const { status } = await call(server, e, { params: kept, body })
      expect(status === 401).toBe(e.access !== 'public')
    })
})
