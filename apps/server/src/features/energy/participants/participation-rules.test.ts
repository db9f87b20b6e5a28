import { expect, test } from 'vitest'
import { checkParticipationDays, describeOverlap, type NamedParticipation } from './participation-rules.ts'

const operation = { id: 'a', name: 'Tilleuls', startsOn: '2025-02-03', endsOn: '2025-09-12' }
const fields = (startsOn: string, endsOn: string | null = null) =>
  checkParticipationDays(operation, { startsOn, endsOn }).map(({ field }) => field)

test('requires an entry within the operation’s days', () => {
  expect(fields('2025-02-02')).toEqual(['startsOn'])
  expect(fields('2025-02-03')).toEqual([])
  expect(fields('2025-09-11')).toEqual([])
  expect(fields('2025-09-12')).toEqual(['startsOn'])
  expect(
    checkParticipationDays({ ...operation, startsOn: null, endsOn: null }, { startsOn: '1999-12-31', endsOn: null }),
  ).toEqual([])
})

test('requires an exit at least a day after the entry', () => {
  expect(fields('2025-03-07', '2025-03-07')).toEqual(['endsOn'])
  expect(fields('2025-03-07', '2025-03-08')).toEqual([])
})

const buildParticipation = (more: Partial<NamedParticipation>): NamedParticipation => ({
  id: 'p',
  operationId: 'a',
  operationName: 'Tilleuls',
  participantId: 'x',
  participantName: 'Camille',
  pointId: 'm',
  agreementSignedOn: null,
  startsOn: '2025-03-07',
  endsOn: '2025-05-17',
  ...more,
})
const checkOverlap = (startsOn: string, endsOn: string | null, more: Partial<NamedParticipation> = {}) =>
  describeOverlap('a', { startsOn, endsOn }, [buildParticipation(more)])

test('allows one holder in one operation at a time, with a successor from the exit day', () => {
  expect(checkOverlap('2025-05-17', null)).toBeNull()
  expect(checkOverlap('2025-01-09', '2025-03-07')).toBeNull()
  expect(checkOverlap('2025-05-16', null)).toContain('déjà celui de «\u00a0Camille\u00a0»')
  expect(checkOverlap('2025-01-09', '2025-03-08', { operationId: 'b' })).toContain(
    'prend déjà part à «\u00a0Tilleuls\u00a0»',
  )
  expect(checkOverlap('2025-05-16', null, { line: 7 })).toContain('déjà à la ligne 7')
})
