import { BOOKABLE_DAYS, BOOKING_SLOTS } from '@voisol/contract/bookings'
import { describe, expect, test } from 'vitest'
import {
  formatSlot,
  getLastBookableDay,
  getSlotStart,
  isWorkingDay,
  listBookableDays,
  listBookableHours,
  parseRequestedDay,
  toBookingDay,
} from './booking-slots.ts'

const at = (text: string) => Temporal.Instant.from(text)

describe('the days that can be chosen', () => {
  const days = listBookableDays(at('2026-03-02T06:00:00Z')).map(({ day }) => day)

  test('reach from today to sixty days on', () => {
    expect(days[0]).toBe('2026-03-02')
    expect(days.at(-1)).toBe('2026-04-30')
    expect(getLastBookableDay(at('2026-03-02T06:00:00Z'))).toBe('2026-05-01')
    expect(BOOKABLE_DAYS).toBe(60)
  })

  test('leave out week-ends and public holidays', () => {
    expect(days).not.toContain('2026-03-07')
    expect(days).not.toContain('2026-03-08')
    expect(days).not.toContain('2026-04-06')
    expect(days).toContain('2026-04-07')
  })

  test.each([
    '2026-01-01',
    '2026-05-01',
    '2026-05-08',
    '2026-07-14',
    '2025-08-15',
    '2027-11-01',
    '2026-11-11',
    '2026-12-25',
    '2026-04-06',
    '2026-05-14',
    '2026-05-25',
    '2027-03-29',
    '2027-05-06',
    '2027-05-17',
    '2025-04-21',
    '2038-06-14',
  ])('%s is a public holiday', (day) => {
    expect(Temporal.PlainDate.from(day).dayOfWeek).toBeLessThanOrEqual(5)
    expect(isWorkingDay(day)).toBe(false)
  })

  test('begin tomorrow once today’s last hour is too near', () => {
    expect(listBookableDays(at('2026-03-02T15:00:00Z'))[0]).toEqual({ day: '2026-03-02', hours: ['17:00'] })
    expect(listBookableDays(at('2026-03-02T15:00:01Z'))[0]?.day).toBe('2026-03-03')
  })
})

describe('in Paris, on both sides of the change of clocks', () => {
  test.each([
    ['2026-03-27', '09:00', '2026-03-27T08:00:00Z'],
    ['2026-03-30', '09:00', '2026-03-30T07:00:00Z'],
    ['2026-10-23', '17:00', '2026-10-23T15:00:00Z'],
    ['2026-10-26', '17:00', '2026-10-26T16:00:00Z'],
  ])('%s at %s is %s', (day, time, instant) => {
    expect(getSlotStart(day, time).toString()).toBe(instant)
  })

  test.each([
    ['2026-03-12', '2026-03-12'],
    ['2026-03-12T00:00:00.000Z', '2026-03-12'],
    ['2026-03-11T23:00:00.000Z', '2026-03-12'],
    ['2026-03-11T22:59:59.999Z', '2026-03-11'],
    ['2026-07-14T22:00:00.000Z', '2026-07-15'],
    ['2026-07-14T21:59:59Z', '2026-07-14'],
    ['2026-03-12T00:00:00+14:00', '2026-03-11'],
    ['2026-03-12T23:30:00-05:00', '2026-03-13'],
    ['2026-10-25T22:59:00Z', '2026-10-25'],
    ['2026-10-25T23:00:00Z', '2026-10-26'],
  ])('%s means %s', (date, day) => {
    expect(parseRequestedDay(date)).toBe(day)
  })

  test('today ends at midnight there', () => {
    expect(toBookingDay(at('2026-03-02T22:59:59Z'))).toBe('2026-03-02')
    expect(toBookingDay(at('2026-03-02T23:00:00Z'))).toBe('2026-03-03')
  })

  test('sixty days stay sixty across the change', () => {
    const days = listBookableDays(at('2026-02-27T22:30:00Z'))
    expect(days.at(-1)?.day).toBe('2026-04-28')
    for (const { day, hours } of days.slice(1)) expect(hours, day).toEqual([...BOOKING_SLOTS])
  })
})

test('an hour’s notice, to the minute', () => {
  expect(listBookableHours('2026-03-02', at('2026-03-02T08:30:00Z'))[0]).toBe('10:30')
  expect(listBookableHours('2026-03-02', at('2026-03-02T08:30:01Z'))[0]).toBe('11:00')
  expect(listBookableHours('2026-03-02', at('2026-03-02T17:00:00Z'))).toEqual([])
})

test('said in French', () => {
  expect(formatSlot('2026-03-12', '09:30')).toBe('jeudi 12 mars 2026 de 09:30 à 10:00 (heure de Paris)')
})
