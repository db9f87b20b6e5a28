import { endpoints } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import { points } from '@voisol/contract/points'
import { roles } from '@voisol/contract/roles'
import { users } from '@voisol/contract/users'
import { describe, expect, test } from 'vitest'
import { isAccessAllowed } from './can.tsx'
import { TEST_ACCESS_PROFILES } from './test-access-profiles.ts'

describe.each(Object.entries(TEST_ACCESS_PROFILES))('%s', (_, who) => {
  test('may call exactly what the contract says', () => {
    for (const e of endpoints) {
      const { access } = e
      const open = access === 'public' || access === 'signed-in'
      const named = typeof access === 'object' ? access : { portal: undefined, permission: undefined }
      const inPortal = who.space === 'portal' && named.portal === true
      const held = who.space === 'office' && named.permission && who.permissions.includes(named.permission)
      expect(isAccessAllowed(who, e), `${e.method} ${e.path}`).toBe(open || inPortal || Boolean(held))
    }
  })
})

test('a right is asked for by its name as well', () => {
  const { reader, client } = TEST_ACCESS_PROFILES
  if (!reader || !client) throw new Error('no such holder')
  expect(isAccessAllowed(reader, 'users.read')).toBe(true)
  expect(isAccessAllowed(reader, 'users.write')).toBe(false)
  expect(isAccessAllowed(reader, users.invite)).toBe(false)
  expect(isAccessAllowed({ ...reader, space: 'portal' }, 'users.read')).toBe(false)
  expect(isAccessAllowed({ ...reader, space: 'portal' }, points.list)).toBe(true)
  expect(isAccessAllowed(client, roles.list)).toBe(false)
})

test('nobody signed in may what is public alone', () => {
  expect(isAccessAllowed(null, auth.login)).toBe(true)
  expect(isAccessAllowed(null, auth.me)).toBe(false)
  expect(isAccessAllowed(null, 'users.read')).toBe(false)
})
