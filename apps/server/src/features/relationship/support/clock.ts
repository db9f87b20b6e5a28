import type { SupportHours } from '@voisol/contract/support-desk'
import type { TicketPriority } from '@voisol/contract/support-words'
import { afterWorking, workingMinutes } from './working-hours.ts'

/** How much of what was promised has run. */
export type Clock = {
  createdAt: Date
  firstMinutes: number
  solveMinutes: number
  firstDueAt: Date
  spentMinutes: number
  runningSince: Date | null
  solveDueAt: Date | null
}
export type Promised = Omit<Clock, 'createdAt'>

export function started(at: Date, priority: TicketPriority, hours: SupportHours): Promised {
  const { first, solve } = hours.promises[priority]
  return {
    firstMinutes: first,
    solveMinutes: solve,
    firstDueAt: afterWorking(at, first, hours),
    spentMinutes: 0,
    runningSince: at,
    solveDueAt: afterWorking(at, solve, hours),
  }
}

/** Minutes that ran until then. */
export const spentAt = ({ spentMinutes, runningSince }: Clock, at: Date, hours: SupportHours) =>
  spentMinutes + (runningSince ? workingMinutes(runningSince, at, hours) : 0)

/** While the asker is waited for, and once it is solved, nothing runs. */
export const paused = (clock: Clock, at: Date, hours: SupportHours) => ({
  spentMinutes: spentAt(clock, at, hours),
  runningSince: null,
  solveDueAt: null,
})

/** From here on it runs with what is left; one that runs already goes on. */
export function resumed(clock: Clock, at: Date, hours: SupportHours) {
  const { spentMinutes, runningSince, solveDueAt, solveMinutes } = clock
  if (runningSince) return { spentMinutes, runningSince, solveDueAt }
  return { spentMinutes, runningSince: at, solveDueAt: afterWorking(at, solveMinutes - spentMinutes, hours) }
}

/** Another priority promises something else, from the same beginning. */
export function repriced(clock: Clock, priority: TicketPriority, hours: SupportHours): Promised {
  const { first, solve } = hours.promises[priority]
  const { createdAt, spentMinutes, runningSince } = clock
  return {
    firstMinutes: first,
    solveMinutes: solve,
    firstDueAt: afterWorking(createdAt, first, hours),
    spentMinutes,
    runningSince,
    solveDueAt: runningSince && afterWorking(runningSince, solve - spentMinutes, hours),
  }
}
