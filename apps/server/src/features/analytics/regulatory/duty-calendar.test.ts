import { expect, test } from 'vitest'
import { buildDuties, type DutyFacts } from './duty-calendar.ts'
import { buildParticipationMovements, type RegulatoryParticipation } from './participation-movements.ts'

const TERMS = { movementDays: 15, coefficientDays: 5, consentDays: 30, vatDay: 24, yearlyDays: 90 }
const NO_FACTS: DutyFacts = {
  operations: [{ id: 'o1', name: 'Les Tilleuls' }],
  movements: [],
  dynamic: [],
  years: [],
  taxed: [],
  expiries: [],
  marks: new Map(),
}
const move = (more: Partial<DutyFacts['movements'][number]>) => ({
  id: 'p1',
  operationId: 'o1',
  on: '2026-06-17',
  what: 'entry' as const,
  prm: '19000000000017',
  name: 'Bât. A, Mme Morel',
  side: 'Soutirage',
  noticeOn: null,
  toldOn: null,
  ...more,
})
const listDuties = (facts: Partial<DutyFacts>, today: string, year = 2026) =>
  buildDuties({ ...NO_FACTS, ...facts }, TERMS, year, today).map(({ key, dueOn, state }) => ({ key, dueOn, state }))

test('makes a movement due fifteen days before its effect, in the year of that day', () => {
  const facts = { movements: [move({}), move({ id: 'p2', on: '2027-01-07', what: 'exit' })] }
  expect(listDuties(facts, '2026-05-20')).toEqual([
    { key: 'movements:o1:2026-06-17', dueOn: '2026-06-02', state: 'soon' },
    { key: 'movements:o1:2027-01-07', dueOn: '2026-12-23', state: 'later' },
  ])
  expect(listDuties(facts, '2026-06-02').at(0)?.state).toBe('soon')
  expect(listDuties(facts, '2026-06-03').at(0)?.state).toBe('late')
  expect(listDuties(facts, '2026-05-18').at(0)?.state).toBe('later')
  expect(listDuties(facts, '2026-05-20', 2027)).toEqual([])
})

test('is done once all movements of the day were notified', () => {
  const told = move({ toldOn: '2026-05-29' })
  expect(listDuties({ movements: [told, move({ id: 'p2' })] }, '2026-05-30').at(0)?.state).toBe('soon')
  const both = buildDuties(
    { ...NO_FACTS, movements: [told, move({ id: 'p2', toldOn: '2026-05-30' })] },
    TERMS,
    2026,
    '2026-07-01',
  )
  expect(both).toMatchObject([{ state: 'done', doneOn: '2026-05-30', detail: 'Les Tilleuls\u00a0: entrée (2)' }])
})

test('makes coefficients, yearly reports and VAT due after their period', () => {
  const facts = {
    dynamic: [{ operationId: 'o1', month: '2026-02', sentOn: null }],
    years: [{ operationId: 'o1', year: '2025', sentOn: '2026-03-13' }],
    taxed: [{ sellerId: 's1', seller: 'Toiture Sud', month: '2026-01' }],
  }
  expect(listDuties(facts, '2026-03-09')).toEqual([
    { key: 'vat:s1:2026-01', dueOn: '2026-02-24', state: 'late' },
    { key: 'coefficients:o1:2026-02', dueOn: '2026-03-05', state: 'late' },
    { key: 'yearly:o1:2025', dueOn: '2026-03-31', state: 'done' },
  ])
})

test('groups consents ending in one month, due a month before the first, closed by a mark', () => {
  const facts = {
    expiries: [
      { participantId: 'a', expiresOn: '2026-09-23' },
      { participantId: 'b', expiresOn: '2026-09-11' },
    ],
    marks: new Map([['consents:2026-09', { doneOn: '2026-08-03', by: 'Ada', note: 'courrier' }]]),
  }
  const [duty] = buildDuties({ ...NO_FACTS, ...facts }, TERMS, 2026, '2026-08-30')
  expect(duty).toMatchObject({ dueOn: '2026-08-12', state: 'done', by: 'Ada', note: 'courrier' })
  expect(duty?.detail).toBe('2 participants, le premier le 11/09/2026')
})

test('takes a notice before the entry as no notice of the exit, and one during the stay as one', () => {
  const seat = { pointId: 'q1', operationId: 'o1', participationId: 'p1', startsOn: '2025-05-01', endsOn: '2026-07-11' }
  const about = { prm: '19000000000017', label: 'Bât. A', name: 'Mme Morel', direction: 'consumption' }
  const toldOf = (noticeOn: string | null) =>
    buildParticipationMovements(
      [{ ...seat, ...about, noticeOn } as RegulatoryParticipation],
      '2025-01-01',
      '2027-01-01',
    ).map((one) => [one.what, one.noticeOn]) // only these fields are read
  expect(toldOf('2025-04-16')).toEqual([
    ['entry', '2025-04-16'],
    ['exit', null],
  ])
  expect(toldOf('2026-06-20')[1]).toEqual(['exit', '2026-06-20'])
})

test('counts an exit and entry of one point on a day as one change of holder', () => {
  const seat = (more: Partial<RegulatoryParticipation>) =>
    // Fields not read by a movement are left out.
    ({
      participationId: 'p1',
      operationId: 'o1',
      pointId: 'x',
      prm: '1',
      label: '',
      name: 'A',
      ...more,
    }) as RegulatoryParticipation
  const seats = [
    seat({ startsOn: '2025-01-01', endsOn: '2026-06-11' }),
    seat({ participationId: 'p2', startsOn: '2026-06-11', endsOn: null }),
    seat({ participationId: 'p3', pointId: 'y', startsOn: '2026-06-11', endsOn: '2026-06-30' }),
    // The same point in another operation: an exit and an entry.
    seat({ participationId: 'p4', operationId: 'o2', pointId: 'y', startsOn: '2026-06-30', endsOn: '2026-07-01' }),
  ]
  expect(
    buildParticipationMovements(seats, '2026-06-01', '2026-07-01')
      .map(({ id, what }) => `${what} ${id}`)
      .sort(),
  ).toEqual(['entry p3', 'entry p4', 'exit p3', 'holder p2'])
})
