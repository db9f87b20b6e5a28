import { date, plural } from '../lib/format.ts'

const DAY = 86_400_000

/** A day begun counts as a day left: the last one says « il reste 1 jour ». */
export function trialText(endsAt: string, now: number): string {
  const left = Math.ceil((Date.parse(endsAt) - now) / DAY)
  return left > 0
    ? `Essai gratuit\u00a0: il reste ${plural(left, 'jour')}`
    : `Votre essai gratuit s’est terminé le ${date(endsAt)}`
}
