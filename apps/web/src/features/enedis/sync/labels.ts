import type { SyncTask } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { useEffect } from 'react'
import { formatDayRange } from '../../../components/period/period-labels.ts'
import { formatPrm } from '../../../lib/energy-labels.ts'

export const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The days of a task or of one of its calls; `to` is the first day that is no longer meant. */
export const formatTaskDays = ({ from, to }: { from: string; to: string }) => formatDayRange(from, addDays(to, -1))

/** A perimeter is read as it is today: its days mean nothing. */
export const formatTaskPeriod = (task: SyncTask) =>
  task.kind === 'perimeter' ? 'À ce jour' : capitalize(formatTaskDays(task))

/** A PRM as people read it; an agreement's number or a file's name as it is. */
export const formatSubject = (text: string) => (/^\d{14}$/.test(text) ? formatPrm(text) : text)

export const getTaskPath = (id: string) => `/enedis-api/sync-tasks/${id}`

/** Nobody where the product asked by itself. */
export const formatTaskAuthor = ({ createdBy }: SyncTask) => createdBy && `par ${createdBy}`

const POLL_MS = 2000

/** Asks again at once, then every two seconds while something is at work. */
export function useRefetchWhileWorking(atWork: boolean, refetch: (options: { cancelRefetch: boolean }) => unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetch is another function at each render
  useEffect(() => {
    void refetch({ cancelRefetch: false })
    if (!atWork) return
    const timer = setInterval(() => void refetch({ cancelRefetch: false }), POLL_MS)
    return () => clearInterval(timer)
  }, [atWork])
}
