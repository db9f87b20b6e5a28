import { describe, expect, test } from 'vitest'
import { EVENT_NAMES, EVENTS, isEventName } from './events.ts'
import { WEBHOOK_EVENTS } from './webhooks.ts'

describe.each(EVENT_NAMES)('%s', (name) => {
  const { label, data, sample } = EVENTS[name]

  test('its sample is what its schema takes, and says nothing more', () => {
    expect(data.parse(sample)).toEqual(sample)
  })

  test('it says what happened to what, and has a French name', () => {
    expect(name).toMatch(/^[a-z]+\.([a-z]+-)?(?:[a-z]+ed|sent)$/)
    expect(label).toMatch(/^[A-ZÀÉÊ][^'"]{2,60}[^.]$/)
  })
})

test('webhooks offer the open rows, the five that always were among them', () => {
  expect(WEBHOOK_EVENTS).toEqual([
    'operation.created',
    'operation.status-changed',
    'participant.created',
    'curves.imported',
    'curves.received',
    'allocation.completed',
    'month.closed',
    'invoice.issued',
    'review.raised',
    'payment.received',
    'payment.returned',
    'reminder.sent',
    'apikey.created',
    'apikey.rotated',
    'apikey.revoked',
    'apikey.expiry-approached',
    'webhook.stopped',
    'copy.completed',
    'copy.failed',
    'copy.proved',
    'alert.raised',
    'alert.ended',
    'connection.failed',
    'connection.stopped',
  ])
  expect(WEBHOOK_EVENTS.every(isEventName)).toBe(true)
  expect(isEventName('toString')).toBe(false)
})
