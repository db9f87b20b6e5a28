import { expect, test } from 'vitest'
import { describeCircuit, getScopeLabel, getTestTitle, isConnectionWorking } from './connection-state.ts'

const NOW = Date.parse('2026-11-15T10:00:00Z')

test('calls that pass are said to pass, even when an old pause is still noted', () => {
  expect(describeCircuit({ circuit: 'closed', pausedUntil: null, pauseCause: null }, NOW).tone).toBe('success')
  expect(describeCircuit({ circuit: 'closed', pausedUntil: '2026-11-15T09:00:00Z', pauseCause: null }, NOW).tone).toBe(
    'success',
  )
})

test('a pause asked for by the distributor says until when, by the clock of Paris', () => {
  const state = describeCircuit({ circuit: 'closed', pausedUntil: '2026-11-15T10:12:00Z', pauseCause: 'told' }, NOW)
  expect(state.label).toBe('En pause')
  expect(state.meaning).toContain('11:12')
})

test('a pause that lasts beyond a day names the day', () => {
  const state = describeCircuit({ circuit: 'closed', pausedUntil: '2026-11-18T10:12:00Z', pauseCause: 'told' }, NOW)
  expect(state.meaning).toContain('18/11/2026')
})

test('suspended calls say when the trial goes out', () => {
  const state = describeCircuit({ circuit: 'open', pausedUntil: '2026-11-15T10:05:00Z', pauseCause: 'failures' }, NOW)
  expect(state.tone).toBe('danger')
  expect(state.meaning).toContain('11:05')
  expect(describeCircuit({ circuit: 'half-open', pausedUntil: null, pauseCause: null }, NOW).tone).toBe('warning')
})

test('a pause of a day at most, and many refusals, are said for what they are', () => {
  const until = { circuit: 'open', pausedUntil: '2026-11-16T09:59:00Z' } as const
  const capped = describeCircuit({ ...until, pauseCause: 'told' }, NOW)
  expect([capped.label, capped.meaning]).toEqual(['En pause', expect.stringContaining('appel d’essai part à 10:59')])
  const refused = describeCircuit({ ...until, pauseCause: 'refusals' }, NOW)
  expect(refused.meaning).toContain('aucun n’est arrêté')
})

test('credentials without an operation are the company’s', () => {
  expect(getScopeLabel({ operationId: null, operationName: '' })).toBe('Toute l’entreprise')
})

test('a connection is not said to work while calls are suspended', () => {
  const paused = { testOk: true, pausedUntil: '2026-11-15T10:12:00Z' }
  expect([getTestTitle(paused, NOW), isConnectionWorking(paused, NOW)]).toEqual(['Les appels sont suspendus', false])
  const brief = { testOk: true, pausedUntil: '2026-11-15T10:00:01Z' }
  expect([getTestTitle(brief, NOW), isConnectionWorking(brief, NOW)]).toEqual(['La connexion fonctionne', true])
  expect(getTestTitle({ testOk: true, pausedUntil: null })).toBe('La connexion fonctionne')
  expect(getTestTitle({ testOk: false, pausedUntil: null })).toBe('La connexion échoue')
})
