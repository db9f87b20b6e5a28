import { expect, test } from 'vitest'
import { circuitState, isWell, scopeOf, testTitle } from './state.ts'

const NOW = Date.parse('2026-11-15T10:00:00Z')

test('calls that pass are said to pass, even when an old pause is still noted', () => {
  expect(circuitState({ circuit: 'closed', pausedUntil: null, pauseCause: null }, NOW).tone).toBe('success')
  expect(circuitState({ circuit: 'closed', pausedUntil: '2026-11-15T09:00:00Z', pauseCause: null }, NOW).tone).toBe(
    'success',
  )
})

test('a pause asked for by the distributor says until when, by the clock of Paris', () => {
  const state = circuitState({ circuit: 'closed', pausedUntil: '2026-11-15T10:12:00Z', pauseCause: 'told' }, NOW)
  expect(state.label).toBe('En pause')
  expect(state.meaning).toContain('11:12')
})

test('a pause that lasts beyond a day names the day', () => {
  const state = circuitState({ circuit: 'closed', pausedUntil: '2026-11-18T10:12:00Z', pauseCause: 'told' }, NOW)
  expect(state.meaning).toContain('18/11/2026')
})

test('suspended calls say when the trial goes out', () => {
  const state = circuitState({ circuit: 'open', pausedUntil: '2026-11-15T10:05:00Z', pauseCause: 'failures' }, NOW)
  expect(state.tone).toBe('danger')
  expect(state.meaning).toContain('11:05')
  expect(circuitState({ circuit: 'half-open', pausedUntil: null, pauseCause: null }, NOW).tone).toBe('warning')
})

test('a pause of a day at most, and many refusals, are said for what they are', () => {
  const until = { circuit: 'open', pausedUntil: '2026-11-16T09:59:00Z' } as const
  const capped = circuitState({ ...until, pauseCause: 'told' }, NOW)
  expect([capped.label, capped.meaning]).toEqual(['En pause', expect.stringContaining('appel d’essai part à 10:59')])
  const refused = circuitState({ ...until, pauseCause: 'refusals' }, NOW)
  expect(refused.meaning).toContain('aucun n’est arrêté')
})

test('credentials without an operation are the company’s', () => {
  expect(scopeOf({ operationId: null, operationName: '' })).toBe('Toute l’entreprise')
})

test('a connection is not said to work while calls are suspended', () => {
  const paused = { testOk: true, pausedUntil: '2026-11-15T10:12:00Z' }
  expect([testTitle(paused, NOW), isWell(paused, NOW)]).toEqual(['Les appels sont suspendus', false])
  const brief = { testOk: true, pausedUntil: '2026-11-15T10:00:01Z' }
  expect([testTitle(brief, NOW), isWell(brief, NOW)]).toEqual(['La connexion fonctionne', true])
  expect(testTitle({ testOk: true, pausedUntil: null })).toBe('La connexion fonctionne')
  expect(testTitle({ testOk: false, pausedUntil: null })).toBe('La connexion échoue')
})
