import { expect, test } from 'vitest'
import { addDays } from './days.ts'
import { getWorkingDayFrom, isHoliday, isWorkingDay } from './working-days.ts'

test('eleven holidays a year, three of which move with Easter', () => {
  const of = (year: number) =>
    Array.from({ length: 366 }, (_, at) => addDays(`${year}-01-01`, at)).filter(
      (day) => day.startsWith(String(year)) && isHoliday(day),
    )
  expect(of(2027)).toEqual([
    '2027-01-01',
    '2027-03-29',
    '2027-05-01',
    '2027-05-06',
    '2027-05-08',
    '2027-05-17',
    '2027-07-14',
    '2027-08-15',
    '2027-11-01',
    '2027-11-11',
    '2027-12-25',
  ])
  // In 2008 Ascension Day and 1 May were the same day.
  expect(of(2008)).toHaveLength(10)
})

test('a day off is moved to the next working day', () => {
  expect(getWorkingDayFrom('2027-05-06')).toBe('2027-05-07')
  expect(getWorkingDayFrom('2027-05-15')).toBe('2027-05-18')
  expect([isWorkingDay('2027-07-14'), isWorkingDay('2027-12-26'), isWorkingDay('2027-12-27')]).toEqual([
    false,
    false,
    true,
  ])
})
