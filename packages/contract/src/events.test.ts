import { describe, expect, test } from 'vitest'
import { EVENT_NAMES, EVENTS, isEventName } from './events.ts'
import { WEBHOOK_EVENTS } from './webhooks.ts'

describe.each(EVENT_NAMES)('%s', (name) => {
  const { label, data, sample } = EVENTS[name]

  test('its example is valid under its schema, and contains nothing else', () => {
    expect(data.parse(sample)).toEqual(sample)
  })

  test('its name states object and verb, and it has a French label', () => {
    expect(name).toMatch(/^[a-z]+\.([a-z]+-)?(?:[a-z]+ed|sent|given|withdrawn|found)$/)
    expect(label).toMatch(/^[A-ZÀÉÊ][^'"]{2,60}[^.]$/)
  })
})

test('webhooks offer the open events, the original five included', () => {
  expect(WEBHOOK_EVENTS).toEqual([
    'operation.created',
    'operation.updated',
    'operation.status-changed',
    'participant.created',
    'participant.updated',
    'participant.removed',
    'consent.given',
    'consent.withdrawn',
    'participation.started',
    'participation.changed',
    'participation.removed',
    'participation.transferred',
    'key.adopted',
    'key.changed',
    'curves.imported',
    'curves.received',
    'allocation.completed',
    'allocation.failed',
    'allocation.invalidated',
    'forecast.issued',
    'point.blocked',
    'expiry.approached',
    'quantities.received',
    'departure.announced',
    'tariff.adopted',
    'month.closed',
    'invoice.issued',
    'review.raised',
    'payment.received',
    'payment.returned',
    'payment.failed',
    'reminder.sent',
    'mandate.signed',
    'mandate.changed',
    'mandate.stopped',
    'mandate.resumed',
    'mandate.lapse-approached',
    'payout.planned',
    'payout.filed',
    'payout.transferred',
    'payout.reopened',
    'payout.cancelled',
    'debits.announced',
    'debits.filed',
    'debits.sent',
    'debits.cancelled',
    'debit.returned',
    'debit.return-cancelled',
    'declaration.issued',
    'regulatory.issued',
    'regulatory.sent',
    'invitation.accepted',
    'member.changed',
    'role.defined',
    'role.changed',
    'role.removed',
    'apikey.created',
    'apikey.rotated',
    'apikey.revoked',
    'apikey.expiry-approached',
    'audit.head-noted',
    'webhook.stopped',
    'sso.domain-lapsed',
    'copy.completed',
    'copy.failed',
    'copy.proved',
    'incident.opened',
    'incident.updated',
    'incident.resolved',
    'alert.raised',
    'alert.ended',
    'connection.failed',
    'connection.stopped',
    'insight.found',
    'insight.decided',
    'insight.closed',
    'export.completed',
    'report.issued',
    'report.sent',
    'plant.amount-added',
    'plant.amount-changed',
    'plant.amount-removed',
    'ticket.opened',
    'ticket.answered',
    'ticket.continued',
    'ticket.solved',
    'application.received',
    'application.decided',
  ])
  expect(WEBHOOK_EVENTS.every(isEventName)).toBe(true)
  expect(isEventName('toString')).toBe(false)
})
