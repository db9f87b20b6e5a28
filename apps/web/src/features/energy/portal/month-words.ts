import type { Summary } from '@voisol/contract/energy'
import { energy, money } from '../../../lib/format.ts'
import { dayLabel } from '../../../ui/period/label.ts'
import { rateOf, share, wholeOf } from './figures.ts'
import type { Mine } from './my-points.ts'
import { wordsOf } from './side-words.ts'
import type { Month } from './use-month.ts'

/** « …, 18 € de moins que chez votre fournisseur seul. »: said in the same breath where both prices are known. */
export const savedWords = (cents: number | undefined) =>
  cents === undefined || cents === 0
    ? '.'
    : `, ${money(Math.abs(cents))} de ${cents > 0 ? 'moins' : 'plus'} que chez votre fournisseur seul.`

export const untilWords = ({ lastDay }: Pick<Month, 'lastDay'>) => `Mesures reçues jusqu’au ${dayLabel(lastDay)}.`

/** Before a run nothing is known of what was shared. */
export const wholeWords = ({ current }: Summary, mine: Mine, { when }: Pick<Month, 'when'>) =>
  `${energy(wholeOf(current, mine.side))} ${wordsOf(mine).counted} ${when}.`

/** How am I doing, in one sentence. */
export function monthSentence(summary: Summary, mine: Mine, month: Pick<Month, 'when'>, saved?: number) {
  const rate = rateOf(summary.current, mine.side)
  if (rate === null) return wholeWords(summary, mine, month)
  return `${share(rate)} ${wordsOf(mine).answer(month.when)}${savedWords(saved)}`
}
