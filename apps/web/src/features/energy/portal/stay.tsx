import type { Point } from '@voisol/contract/points'
import { todayInParis } from '../../../ui/period/period.ts'
import { stayWords } from './stay.ts'

/** To somebody who moves in or out. */
export const Stay = ({ all }: { all: Point[] }) =>
  stayWords(all, todayInParis()).map((words) => (
    <p key={words} className="rounded-card border border-line bg-card p-4 sm:px-6">
      {words}
    </p>
  ))
