import type { SyncTask } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { prm } from '../../lib/energy-labels.ts'
import { daysLabel } from '../../ui/period/label.ts'

export const upper = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The days of a task or of one of its calls; `to` is the first day that is no longer meant. */
export const daysOf = ({ from, to }: { from: string; to: string }) => daysLabel(from, addDays(to, -1))

/** A perimeter is read as it is today: its days mean nothing. */
export const periodOf = (task: SyncTask) => (task.kind === 'perimeter' ? 'À ce jour' : upper(daysOf(task)))

/** A PRM as people read it; an agreement's number or a file's name as it is. */
export const subjectOf = (text: string) => (/^\d{14}$/.test(text) ? prm(text) : text)

export const taskAddress = (id: string) => `/enedis-api/sync-tasks/${id}`

/** Nobody where the product asked by itself. */
export const authorOf = ({ createdBy }: SyncTask) => createdBy && `par ${createdBy}`
