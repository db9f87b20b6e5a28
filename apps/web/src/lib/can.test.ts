import { endpoints } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import { points } from '@voisol/contract/points'
import { roles } from '@voisol/contract/roles'
import { users } from '@voisol/contract/users'
import { describe, expect, test } from 'vitest'
import { may } from './can.tsx'
import { HOLDERS } from './holders.ts'

describe.each(Object.entries(HOLDERS))('%s', (_, who) => {
  test('may call exactly what the contract says', () => {
    for (const e of endpoints) {
      const { access } = e
      const open = access === 'public' || access === 'signed-in'
      const named = typeof access === 'object' ? access : { portal: undefined, permission: undefined }
      const inPortal = who.space === 'portal' && named.portal === true
      const held = who.space === 'office' && named.permission && who.permissions.includes(named.permission)
      expect(may(who, e), `${e.method} ${e.path}`).toBe(open || inPortal || Boolean(held))
    }
  })
})

test('a right is asked for by its name as well', () => {
  const { reader, client } = HOLDERS
  if (!reader || !client) throw new Error('no such holder')
  expect(may(reader, 'users.read')).toBe(true)
  expect(may(reader, 'users.write')).toBe(false)
  expect(may(reader, users.invite)).toBe(false)
  expect(may({ ...reader, space: 'portal' }, 'users.read')).toBe(false)
  expect(may({ ...reader, space: 'portal' }, points.list)).toBe(true)
  expect(may(client, roles.list)).toBe(false)
})

test('nobody signed in may what is public alone', () => {
  expect(may(null, auth.login)).toBe(true)
  expect(may(null, auth.me)).toBe(false)
  expect(may(null, 'users.read')).toBe(false)
})
