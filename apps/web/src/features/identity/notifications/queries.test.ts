import { expect, test } from 'vitest'
import { canDelete, canMarkAsRead, formatBadgeCount, getNotificationAction } from './queries.ts'

test('the badge counts up to 99', () => {
  expect([0, 1, 99, 100, 4000].map(formatBadgeCount)).toEqual(['0', '1', '99', '99+', '99+'])
})

test('unread can be read, dismissible can be deleted', () => {
  expect(canMarkAsRead({ isRead: false })).toBe(true)
  expect(canMarkAsRead({ isRead: true })).toBe(false)
  expect(canDelete({ isDismissible: true })).toBe(true)
  expect(canDelete({ isDismissible: false })).toBe(false)
})

test('an action needs to be actionable, labelled and inside the product', () => {
  const item = { isActionable: true, actionLabel: 'Ouvrir', actionUrl: '/users' }
  expect(getNotificationAction(item)).toEqual({ label: 'Ouvrir', to: '/users' })
  expect(getNotificationAction({ ...item, isActionable: false })).toBeNull()
  expect(getNotificationAction({ ...item, actionLabel: null })).toBeNull()
  expect(getNotificationAction({ ...item, actionLabel: '' })).toBeNull()
  expect(getNotificationAction({ ...item, actionUrl: null })).toBeNull()
  for (const actionUrl of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])
    expect(getNotificationAction({ ...item, actionUrl })).toBeNull()
})
