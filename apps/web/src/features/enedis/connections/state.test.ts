import { expect, test } from 'vitest'
import { circuitState, scopeOf } from './state.ts'

const NOW = Date.parse('2026-11-15T10:00:00Z')

test('calls that pass are said to pass, even when an old pause is still noted', () => {
  expect(circuitState({ circuit: 'closed', pausedUntil: null }, NOW).tone).toBe('success')
  expect(circuitState({ circuit: 'closed', pausedUntil: '2026-11-15T09:00:00Z' }, NOW).tone).toBe('success')
})

test('a pause asked for by the distributor says until when, by the clock of Paris', () => {
  const state = circuitState({ circuit: 'closed', pausedUntil: '2026-11-15T10:12:00Z' }, NOW)
  expect(state.label).toBe('En pause')
  expect(state.meaning).toContain('11:12')
})

test('a pause that lasts beyond a day names the day', () => {
  const state = circuitState({ circuit: 'closed', pausedUntil: '2026-11-18T10:12:00Z' }, NOW)
  expect(state.meaning).toContain('18/11/2026')
})

test('suspended calls say when the trial goes out', () => {
  const state = circuitState({ circuit: 'open', pausedUntil: '2026-11-15T10:05:00Z' }, NOW)
  expect(state.tone).toBe('danger')
  expect(state.meaning).toContain('11:05')
  expect(circuitState({ circuit: 'half-open', pausedUntil: null }, NOW).tone).toBe('warning')
})

test('credentials without an operation are the company’s', () => {
  expect(scopeOf({ operationId: null, operationName: '' })).toBe('Toute l’entreprise')
})
