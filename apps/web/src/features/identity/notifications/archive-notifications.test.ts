import { expect, test } from 'vitest'
import { describeArchivePreview } from './archive-notifications.tsx'

const date = (at: string) => at.slice(0, 10)
const twelveNotifications = {
  days: 30,
  count: 12,
  unread: 2,
  oldest: '2026-02-01T08:00:00Z',
  newest: '2026-04-30T08:00:00Z',
}

test('says how many, from when to when, and how many nobody has read', () => {
  expect(describeArchivePreview(twelveNotifications, date)).toBe(
    '12\u00a0notifications, du 2026-02-01 au 2026-04-30, dont 2\u00a0non lues, seront archivées.',
  )
  expect(
    describeArchivePreview({ ...twelveNotifications, count: 1, unread: 0, newest: twelveNotifications.oldest }, date),
  ).toBe('1\u00a0notification, du 2026-02-01, sera archivée.')
  expect(describeArchivePreview({ days: 30, count: 0, unread: 0, oldest: null, newest: null }, date)).toBe(
    'Aucune notification n’a plus de 30\u00a0jours.',
  )
})
