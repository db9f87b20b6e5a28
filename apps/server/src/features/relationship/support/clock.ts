import type { SupportHours } from '@voisol/contract/support-desk'
import type { TicketPriority } from '@voisol/contract/support-words'
import { addWorkingMinutes, countWorkingMinutes } from './working-hours.ts'

/** How much of what was promised has run. */
export type TicketClock = {
  createdAt: Date
  firstMinutes: number
  solveMinutes: number
  firstDueAt: Date
  spentMinutes: number
  runningSince: Date | null
  solveDueAt: Date | null
}
export type TicketDeadlines = Omit<TicketClock, 'createdAt'>

export function startTicketClock(at: Date, priority: TicketPriority, hours: SupportHours): TicketDeadlines {
  const { first, solve } = hours.promises[priority]
  return {
    firstMinutes: first,
    solveMinutes: solve,
    firstDueAt: addWorkingMinutes(at, first, hours),
    spentMinutes: 0,
    runningSince: at,
    solveDueAt: addWorkingMinutes(at, solve, hours),
  }
}

/** Minutes that ran until then. */
export const computeSpentMinutes = ({ spentMinutes, runningSince }: TicketClock, at: Date, hours: SupportHours) =>
  spentMinutes + (runningSince ? countWorkingMinutes(runningSince, at, hours) : 0)

/** While the asker is waited for, and once it is solved, nothing runs. */
export const pauseTicketClock = (clock: TicketClock, at: Date, hours: SupportHours) => ({
  spentMinutes: computeSpentMinutes(clock, at, hours),
  runningSince: null,
  solveDueAt: null,
})

/** From here on it runs with what is left; one that runs already goes on. */
export function resumeTicketClock(clock: TicketClock, at: Date, hours: SupportHours) {
  const { spentMinutes, runningSince, solveDueAt, solveMinutes } = clock
  if (runningSince) return { spentMinutes, runningSince, solveDueAt }
  return { spentMinutes, runningSince: at, solveDueAt: addWorkingMinutes(at, solveMinutes - spentMinutes, hours) }
}

/** Another priority promises something else, from the same beginning. */
export function recomputeDeadlines(clock: TicketClock, priority: TicketPriority, hours: SupportHours): TicketDeadlines {
  const { first, solve } = hours.promises[priority]
  const { createdAt, spentMinutes, runningSince } = clock
  return {
    firstMinutes: first,
    solveMinutes: solve,
    firstDueAt: addWorkingMinutes(createdAt, first, hours),
    spentMinutes,
    runningSince,
    solveDueAt: runningSince && addWorkingMinutes(runningSince, solve - spentMinutes, hours),
  }
}
