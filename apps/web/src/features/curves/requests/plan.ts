import { addDays, daysBetween } from '@voisol/energy/calendar'

export type RequestedDay = { pointId: string; day: string }
/** `to` is excluded. */
export type DayRequest = { from: string; to: string; pointIds: string[] }

/** A call of the distributor gives a week at most, and weeks begin on Monday for everybody. */
const DAYS_PER_CALL = 7
const FIRST_MONDAY = '2001-01-01'
const CALLS_PER_SECOND = 5

/**
 * One request per run of days that follow each other, for the points that miss one of them: a few tasks are easier to
 * follow than one per gap, and what is read again unchanged is stored once.
 */
export function planRequests(wanted: RequestedDay[]): DayRequest[] {
  const requests: { from: string; to: string; points: Set<string> }[] = []
  for (const { pointId, day } of wanted.toSorted((a, b) => a.day.localeCompare(b.day))) {
    const last = requests.at(-1)
    if (last && day <= last.to) {
      last.points.add(pointId)
      last.to = addDays(day, 1)
    } else requests.push({ from: day, to: addDays(day, 1), points: new Set([pointId]) })
  }
  return requests.map(({ from, to, points }) => ({ from, to, pointIds: [...points] }))
}

const getWeekIndex = (day: string) => Math.floor(daysBetween(FIRST_MONDAY, day) / DAYS_PER_CALL)
const countCalls = ({ from, to, pointIds }: DayRequest) =>
  pointIds.length * (getWeekIndex(addDays(to, -1)) - getWeekIndex(from) + 1)

export function estimateRequestCost(requests: DayRequest[]) {
  const calls = requests.reduce((sum, one) => sum + countCalls(one), 0)
  return {
    calls,
    points: new Set(requests.flatMap(({ pointIds }) => pointIds)).size,
    seconds: Math.ceil(calls / CALLS_PER_SECOND),
  }
}
