import { describe, expect, test } from 'vitest'
import type { StampPosition, StampZone } from './curve-file-types.ts'
import { NONEXISTENT_TIME, toInstants } from './instants.ts'
import { findZoneEvidence } from './timeline.ts'

const parseUtcMinute = (clock: string) => Date.parse(`${clock}:00Z`) / 60_000
const local = (day: string, ...times: string[]) => Int32Array.from(times, (time) => parseUtcMinute(`${day}T${time}`))
const read = (stamps: Int32Array, stamp: StampPosition, zone: StampZone = 'Europe/Paris') =>
  [...toInstants(stamps, stamps.length, zone, stamp)].map((minute) =>
    minute === NONEXISTENT_TIME ? null : new Date(minute * 60_000).toISOString().slice(11, 16),
  )

describe('the hour that comes twice in autumn', () => {
  const DAY = '2025-10-26'

  test('is summer’s first, then winter’s', () => {
    const stamps = local(DAY, '01:30', '02:00', '02:30', '02:00', '02:30', '03:00')
    expect(read(stamps, 'start')).toEqual(['23:30', '00:00', '00:30', '01:00', '01:30', '02:00'])
    expect(read(stamps.toReversed(), 'start')).toEqual(['02:00', '01:30', '01:00', '00:30', '00:00', '23:30'])
  })

  test('is winter’s once the file has gone past the first passage', () => {
    expect(read(local(DAY, '01:00', '02:45', '02:15', '03:00'), 'start')).toEqual(['23:00', '00:45', '01:15', '02:00'])
  })

  test('is summer’s in a file that has it once, and UTC where the file says so', () => {
    expect(read(local(DAY, '01:00', '02:00', '03:00'), 'start')).toEqual(['23:00', '00:00', '02:00'])
    expect(read(local(DAY, '01:00', '02:00'), 'start', 'UTC')).toEqual(['01:00', '02:00'])
  })
})

describe('the hour that spring skips', () => {
  const DAY = '2025-03-30'

  test('has no times, but an interval may end where it begins', () => {
    const stamps = local(DAY, '01:30', '02:00', '02:30', '03:00', '03:30')
    expect(read(stamps, 'end')).toEqual(['00:30', '01:00', null, '01:00', '01:30'])
    expect(read(stamps, 'start')).toEqual(['00:30', null, null, '01:00', '01:30'])
  })
})

describe('the zone that stamps show', () => {
  const evidence = (stamps: Int32Array) => findZoneEvidence(stamps, stamps.length)

  const PARIS = { zone: 'Europe/Paris', proof: true }

  test('is Paris where an hour comes twice, and not where a row does', () => {
    expect(evidence(local('2025-10-26', '02:15', '02:30', '02:15'))).toEqual(PARIS)
    expect(evidence(local('2025-10-26', '01:00', '02:00', '02:00'))).toEqual(PARIS)
    expect(evidence(local('2025-10-26', '02:00', '02:15', '02:15', '02:30'))).toBeNull()
  })

  test('is Paris where an hour is skipped between rows that follow each other', () => {
    expect(evidence(local('2025-03-30', '01:30', '01:45', '03:00'))).toEqual(PARIS)
    expect(evidence(local('2025-03-30', '01:45', '02:00', '03:15'))).toEqual(PARIS)
    expect(evidence(local('2025-03-30', '03:15', '03:00', '01:45'))).toEqual(PARIS)
    expect(evidence(local('2025-03-30', '01:30', '01:45', '03:15'))).toBeNull()
    expect(evidence(local('2025-03-31', '01:30', '01:45', '03:00'))).toBeNull()
  })

  test('is doubtful where a time does not exist in Paris, whatever else is told', () => {
    expect(evidence(local('2025-03-30', '01:45', '02:15'))).toEqual({ zone: 'UTC', proof: false })
    const both = Int32Array.from([
      ...local('2025-03-30', '01:45', '02:15'),
      ...local('2025-10-26', '02:15', '02:30', '02:15'),
    ])
    expect(evidence(both)).toMatchObject({ proof: false })
    expect(evidence(local('2025-03-30', '01:45', '02:00', '03:00'))).toBeNull()
  })

  test('is not told by other days', () => {
    expect(evidence(local('2025-03-29', '02:15', '02:15'))).toBeNull()
  })
})
