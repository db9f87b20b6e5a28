import type { Incident } from '@voisol/contract/incidents'
import { expect, test } from 'vitest'
import { formatIncidentPeriod, formatStatusParts, isMaintenanceOverdue } from './incidents-panel.tsx'

const maintenance: Incident = {
  id: '',
  kind: 'maintenance',
  title: '',
  parts: ['site', 'mail'],
  severity: null,
  state: 'ongoing',
  startsAt: '2026-03-28T22:30:00.000Z',
  endsAt: '2026-03-29T01:30:00.000Z',
  closedAt: null,
  updates: [],
  version: 1,
}

test('a maintenance is said with its announced window, an incident with what it lasted', () => {
  expect(formatIncidentPeriod(maintenance)).toBe('Du 28/03/2026 à\u00a023:30 au 29/03/2026 à\u00a003:30')
  const incident: Incident = { ...maintenance, kind: 'incident', endsAt: null }
  expect(formatIncidentPeriod(incident)).toBe('Depuis le 28/03/2026 à\u00a023:30')
  expect(formatIncidentPeriod({ ...incident, closedAt: '2026-03-28T23:30:00.000Z' })).toContain(
    'au 29/03/2026 à\u00a000:30',
  )
  expect(formatStatusParts(maintenance.parts)).toBe('Site et espace connecté, Messagerie')
})

test('a maintenance whose end has passed is to be closed', () => {
  const end = Date.parse('2026-03-29T01:30:00.000Z')
  expect([isMaintenanceOverdue(maintenance, end - 1), isMaintenanceOverdue(maintenance, end + 1)]).toEqual([
    false,
    true,
  ])
  expect(isMaintenanceOverdue({ ...maintenance, closedAt: maintenance.endsAt }, end + 1)).toBe(false)
})
