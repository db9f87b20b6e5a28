import { permissions } from '@voisol/contract/permissions'
import { ROLES } from '@voisol/contract/roles'
import { expect, test } from 'vitest'
import { exceedsOwnPermissions, filterVisiblePermissions, togglePermission } from '../../../lib/permission-sets.ts'
import { groupRights } from './rights.tsx'

test('every right has its place, once, under a name of its own', () => {
  const groups = groupRights(permissions)
  expect(groups.flatMap(({ rights }) => rights).toSorted()).toEqual(permissions.toSorted())
  expect(groups.map(({ label }) => label)).toEqual([
    'Opérations',
    'Énergie',
    'Distributeur',
    'Facturation',
    'Encaissements et comptes',
    'Relation',
    'Organisation',
    'Site public',
  ])
})

test('a group without a right of the set is not shown', () => {
  expect(groupRights(['sync.read', 'enedis.read'])).toEqual([
    { label: 'Distributeur', rights: ['enedis.read', 'sync.read'] },
  ])
})

test('to change is to see, and what is not seen is not changed', () => {
  expect(togglePermission([], 'participants.bank', true)).toEqual(['participants.read', 'participants.bank'])
  expect(togglePermission(['users.read', 'users.write', 'sync.read'], 'users.read', false)).toEqual(['sync.read'])
  expect(togglePermission(['users.read', 'users.write'], 'users.write', false)).toEqual(['users.read'])
  expect(togglePermission(['users.read'], 'users.read', true)).toEqual(['users.read'])
})

test('a role exceeds its giver by what would really be given', () => {
  const { manager, reader, client, admin } = ROLES
  expect(exceedsOwnPermissions(manager.permissions, admin.permissions)).toBe(false)
  expect(exceedsOwnPermissions(admin.permissions, manager.permissions)).toBe(true)
  expect(exceedsOwnPermissions(client.permissions, [])).toBe(false)
  expect(exceedsOwnPermissions(['operations.read', 'users.write'], reader.permissions)).toBe(true)
  expect(exceedsOwnPermissions(['operations.read', 'users.write'], reader.permissions, true)).toBe(false)
  expect(exceedsOwnPermissions(['content.write'], reader.permissions)).toBe(false)
})

test('rights of the site are shown to those who keep it', () => {
  expect(filterVisiblePermissions(['users.read', 'seo.read'], ['users.read'])).toEqual(['users.read'])
  expect(filterVisiblePermissions(['users.read', 'seo.read'], ['users.read', 'bookings.read'])).toEqual([
    'users.read',
    'seo.read',
  ])
})
