import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'

/** The size of the demo, and its reference day, to which all its events are relative. */
export type DemoScale = { anchor: string; startsOn: string; homes: number; whole: boolean }

const MONTHS = 18
const HOMES = 24

export const createFullScale = (anchor: string): DemoScale => ({
  anchor,
  startsOn: addMonths(monthOf(anchor), -MONTHS),
  homes: HOMES,
  whole: true,
})

/** A few homes over a few months, for tests. */
export const createSmallScale = (anchor: string, months: number): DemoScale => ({
  ...createFullScale(anchor),
  startsOn: addMonths(monthOf(anchor), -months),
  homes: 3,
  whole: false,
})

/** The nth day of the month that many months from the reference day. */
export const getDayInMonth = (anchor: string, months: number, nth: number) =>
  addDays(addMonths(monthOf(anchor), months), nth - 1)
