import type { Point } from '@voisol/contract/points'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { listParticipationNotices } from './stay.ts'

/** To somebody who moves in or out. */
export const ParticipationNotices = ({ all }: { all: Point[] }) =>
  listParticipationNotices(all, getTodayInParis()).map((words) => (
    <p key={words} className="rounded-card border border-line bg-card p-4 sm:px-6">
      {words}
    </p>
  ))
