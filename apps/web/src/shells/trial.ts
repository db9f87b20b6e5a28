import { formatCount, formatDate } from '../lib/format.ts'

const DAY_MS = 86_400_000

/** A day begun counts as a day left: the last one says « il reste 1 jour ». */
export function formatTrial(endsAt: string, now: number): string {
  const left = Math.ceil((Date.parse(endsAt) - now) / DAY_MS)
  return left > 0
    ? `Essai gratuit\u00a0: il reste ${formatCount(left, 'jour')}`
    : `Votre essai gratuit s’est terminé le ${formatDate(endsAt)}`
}
