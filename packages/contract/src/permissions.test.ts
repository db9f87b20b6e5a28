import { expect, test } from 'vitest'
import { grantsAccess } from './access.ts'
import { endpoints } from './index.ts'
import { PERMISSION_LABELS } from './permission-labels.ts'
import { hasPermission, narrowPermissions, type Permission, permissions } from './permissions.ts'
import { BUILT_IN_ROLES, ROLES } from './roles.ts'

test('every permission is named after a feature and a verb, said in French, and asked for by an endpoint', () => {
  const asked = new Set(endpoints.map(({ access }) => typeof access === 'object' && access.permission))
  for (const permission of permissions) {
    expect(permission).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+$/)
    expect(PERMISSION_LABELS[permission]).toMatch(/^[A-ZÀÉ][^.'"]+$/)
    expect(asked.has(permission), permission).toBe(true)
  }
})

test('what changes something is never a right to read', () => {
  const calm = (e: (typeof endpoints)[number]) => e.method === 'GET' || e.audit === 'none'
  const wrong = endpoints.filter(
    (e) => typeof e.access === 'object' && e.access.permission?.endsWith('.read') && !calm(e),
  )
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('a limit takes what reaches across operations, and only one company keeps the site', () => {
  const held: Permission[] = ['operations.read', 'operations.create', 'content.write', 'users.write']
  expect(narrowPermissions(held, { limited: true, site: true })).toEqual(['operations.read'])
  expect(narrowPermissions(held, { limited: false, site: false })).toEqual([
    'operations.read',
    'operations.create',
    'users.write',
  ])
  expect(narrowPermissions(held, { limited: false, site: true })).toEqual(held)
})

test('the roles of the product: an administrator has all, a client none, a reader changes nothing', () => {
  expect(ROLES.admin.permissions).toEqual(permissions)
  expect(ROLES.client.permissions).toEqual([])
  expect(ROLES.reader.permissions.filter((permission) => !permission.endsWith('.read'))).toEqual([])
  for (const guarded of ['users.write', 'roles.write', 'api-keys.write', 'enedis.write', 'webhooks.write'] as const)
    expect(BUILT_IN_ROLES.filter((role) => ROLES[role].permissions.includes(guarded))).toEqual(['admin'])
  expect(ROLES.accountant.permissions.filter((permission) => !permission.endsWith('.read'))).toEqual([
    'invoices.send',
    'books.write',
    'declarations.write',
    'exports.write',
  ])
  expect(ROLES.technician.permissions).toContain('allocations.run')
})

test('rights are for the back office: the portal opens what is declared open to it', () => {
  const held = { permissions: ['energy.read'] as const }
  expect(hasPermission({ space: 'office', ...held }, 'energy.read')).toBe(true)
  expect(hasPermission({ space: 'portal', ...held }, 'energy.read')).toBe(false)
  const who = (kind: 'person' | 'key', space: 'office' | 'portal') => ({ kind, space, ...held })
  expect(grantsAccess({ permission: 'energy.read', portal: true }, who('person', 'portal'))).toBe(true)
  expect(grantsAccess({ permission: 'energy.read' }, who('person', 'portal'))).toBe(false)
  expect(grantsAccess({ portal: true }, who('person', 'office'))).toBe(false)
  expect(grantsAccess('signed-in', who('key', 'office'))).toBe(false)
})
