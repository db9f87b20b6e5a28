/** Time classes of the grid, by Paris time: winter from November to March, night from 22 h to 6 h. */
export const GRID_CLASSES = ['HPH', 'HCH', 'HPB', 'HCB'] as const

const DAY = 1440
const HOUR = 60

/** 01:00 UTC on the last Sunday of a month, in epoch minutes. */
function lastSunday(year: number, month: number): number {
  const end = new Date(Date.UTC(year, month + 1, 0))
  return end.getTime() / 60_000 - end.getUTCDay() * DAY + HOUR
}

/** The index of the time class of a minute. */
export function getGridClassIndex(minute: number): number {
  const year = new Date(minute * 60_000).getUTCFullYear()
  const isSummer = minute >= lastSunday(year, 2) && minute < lastSunday(year, 9)
  const local = new Date((minute + (isSummer ? 2 : 1) * HOUR) * 60_000)
  const isWinter = local.getUTCMonth() >= 10 || local.getUTCMonth() <= 2
  const isNight = local.getUTCHours() >= 22 || local.getUTCHours() < 6
  return (isWinter ? 0 : 2) + (isNight ? 1 : 0)
}
