import { expect, test } from 'vitest'
import { actionOf, badgeText, canDelete, canRead } from './rules.ts'

test('the badge counts up to 99', () => {
  expect([0, 1, 99, 100, 4000].map(badgeText)).toEqual(['0', '1', '99', '99+', '99+'])
})

test('unread can be read, dismissible can be deleted', () => {
  expect(canRead({ isRead: false })).toBe(true)
  expect(canRead({ isRead: true })).toBe(false)
  expect(canDelete({ isDismissible: true })).toBe(true)
  expect(canDelete({ isDismissible: false })).toBe(false)
})

test('an action needs to be actionable, labelled and inside the product', () => {
  const item = { isActionable: true, actionLabel: 'Ouvrir', actionUrl: '/users' }
  expect(actionOf(item)).toEqual({ label: 'Ouvrir', to: '/users' })
  expect(actionOf({ ...item, isActionable: false })).toBeNull()
  expect(actionOf({ ...item, actionLabel: null })).toBeNull()
  expect(actionOf({ ...item, actionLabel: '' })).toBeNull()
  expect(actionOf({ ...item, actionUrl: null })).toBeNull()
  for (const actionUrl of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])
    expect(actionOf({ ...item, actionUrl })).toBeNull()
})
