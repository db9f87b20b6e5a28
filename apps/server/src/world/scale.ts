import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'

/** How large the demo is, and the day it was made: what happens in it is told from there. */
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

/** The nth day of a month that many months away from the anchor's. */
export const getDayInMonth = (anchor: string, months: number, nth: number) =>
  addDays(addMonths(monthOf(anchor), months), nth - 1)
