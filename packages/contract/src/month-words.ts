import type { Summary, Totals } from './energy.ts'
import type { Mine, Side } from './my-side.ts'
import { energy, money, number, percent } from './numbers.ts'
import { wordsOf } from './side-words.ts'

/** The energy that stayed among neighbours: received by a consumer, shared by a producer. */
export const localOf = (totals: Totals, side: Side) => (side === 'consumption' ? totals.allocated : totals.shared)
export const restOf = (totals: Totals, side: Side) => (side === 'consumption' ? totals.complement : totals.surplus)
export const pendingOf = (totals: Totals, side: Side) =>
  side === 'consumption' ? totals.pendingConsumed : totals.pendingProduced
export const rateOf = (totals: Totals, side: Side) =>
  side === 'consumption' ? totals.selfProduction : totals.selfConsumption
export const wholeOf = (totals: Totals, side: Side) => (side === 'consumption' ? totals.consumed : totals.produced)

export const share = (rate: number) => percent(rate, rate > 0 && rate < 0.01 ? 1 : 0)

/** « 3 points de plus », « autant »: two shares are compared in points. */
export function pointsWords(now: number, before: number) {
  const points = Math.round((now - before) * 100)
  if (points === 0) return 'autant'
  return `${number(Math.abs(points))}\u00a0${Math.abs(points) < 2 ? 'point' : 'points'} de ${points > 0 ? 'plus' : 'moins'}`
}

/** Two shares: the same days of the year before, which had the same sun, or those just before, as `just` names them. */
export function beforeWords({ current, lastYear, previous, from }: Summary, side: Side, just: string): string {
  const [now, then, last] = [current, lastYear, previous].map((totals) => totals && rateOf(totals, side))
  const [before, than] =
    typeof then === 'number' ? [then, `aux mêmes jours de ${Number(from.slice(0, 4)) - 1}`] : [last, just]
  if (typeof now !== 'number' || typeof before !== 'number') return ''
  const words = pointsWords(now, before)
  return words === 'autant' ? `C’est autant qu’${than}.` : `C’est ${words} qu’${than}.`
}

/** « …, 18 € de moins que chez votre fournisseur seul. »: said in the same breath where both prices are known. */
export const savedWords = (cents: number | undefined) =>
  cents === undefined || cents === 0
    ? '.'
    : `, ${money(Math.abs(cents))} de ${cents > 0 ? 'moins' : 'plus'} que chez votre fournisseur seul.`

type Told = Pick<Mine, 'side' | 'battery'>

/** Before a run nothing is known of what was shared. */
export const wholeWords = ({ current }: Summary, mine: Told, { when }: { when: string }) =>
  `${energy(wholeOf(current, mine.side))} ${wordsOf(mine).counted} ${when}.`

/** How am I doing, in one sentence. */
export function monthSentence(summary: Summary, mine: Told, month: { when: string }, saved?: number) {
  const rate = rateOf(summary.current, mine.side)
  if (rate === null) return wholeWords(summary, mine, month)
  return `${share(rate)} ${wordsOf(mine).answer(month.when)}${savedWords(saved)}`
}
