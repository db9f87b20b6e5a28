import { DEFAULT_HOURS } from '@voisol/contract/support-agents'
import { expect, test } from 'vitest'
import {
  computeSpentMinutes,
  pauseTicketClock,
  recomputeDeadlines,
  resumeTicketClock,
  startTicketClock,
  type TicketClock,
} from './support-hours.ts'

const at = (text: string) =>
  new Date(Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Paris').epochMilliseconds)
const MONDAY = at('2026-03-23T09:00')
const clock = (priority: 'normal' | 'urgent' = 'normal'): TicketClock => ({
  createdAt: MONDAY,
  ...startTicketClock(MONDAY, priority, DEFAULT_HOURS),
})

test('a day to answer and a week to solve, in hours of opening', () => {
  expect(clock()).toMatchObject({ firstDueAt: at('2026-03-23T18:00'), solveDueAt: at('2026-03-27T18:00') })
  expect(clock('urgent')).toMatchObject({ firstDueAt: at('2026-03-23T10:00'), solveDueAt: at('2026-03-23T17:00') })
})

test('nothing runs while the asker is waited for, and what is left runs on afterwards', () => {
  const waiting = { ...clock(), ...pauseTicketClock(clock(), at('2026-03-23T12:00'), DEFAULT_HOURS) }
  expect(waiting).toMatchObject({ spentMinutes: 180, runningSince: null, solveDueAt: null })
  expect(computeSpentMinutes(waiting, at('2026-03-30T12:00'), DEFAULT_HOURS)).toBe(180)
  const again = { ...waiting, ...resumeTicketClock(waiting, at('2026-03-30T09:00'), DEFAULT_HOURS) }
  // 2700 promised, 180 spent: 2520 are four days of nine hours and 360 minutes.
  expect(again.solveDueAt).toEqual(at('2026-04-03T15:00'))
  expect(pauseTicketClock(waiting, at('2026-04-01T12:00'), DEFAULT_HOURS).spentMinutes).toBe(180)
})

test('one that runs goes on as it was', () => {
  expect(resumeTicketClock(clock(), at('2026-03-25T09:00'), DEFAULT_HOURS)).toMatchObject({
    runningSince: MONDAY,
    solveDueAt: at('2026-03-27T18:00'),
  })
})

test('another priority counts from the beginning, less what has run', () => {
  expect(recomputeDeadlines(clock(), 'urgent', DEFAULT_HOURS)).toMatchObject({
    firstDueAt: at('2026-03-23T10:00'),
    solveDueAt: at('2026-03-23T17:00'),
  })
  const waiting = { ...clock(), ...pauseTicketClock(clock(), at('2026-03-23T12:00'), DEFAULT_HOURS) }
  expect(recomputeDeadlines(waiting, 'urgent', DEFAULT_HOURS)).toMatchObject({
    spentMinutes: 180,
    solveDueAt: null,
    solveMinutes: 480,
  })
})
