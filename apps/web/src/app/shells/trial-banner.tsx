import Sun from 'lucide-react/icons/sun'
import { Link } from '../../components/link.tsx'
import { formatCount, formatDate } from '../../lib/format.ts'

/** What is left of the trial, or that all is read and nothing written. */
export const TrialBanner = ({ endsAt, readOnly }: { endsAt: string | null; readOnly: boolean }) => (
  <section
    aria-label={endsAt ? 'Essai gratuit' : 'Abonnement'}
    data-print="hide"
    className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-1.5 text-center text-[0.8125rem] font-medium text-warning"
  >
    <Sun aria-hidden="true" className="size-4 shrink-0" />
    <p>
      {endsAt ? formatTrial(endsAt, Date.now()) : 'Votre abonnement est terminé'}
      {readOnly && '\u00a0: lecture seule'}{' '}
      <Link to="/subscription-plans" className="underline">
        Choisir une formule
      </Link>
    </p>
  </section>
)

const DAY_MS = 86_400_000

/** A day begun counts as a day left: the last one says « il reste 1 jour ». */
export function formatTrial(endsAt: string, now: number): string {
  const left = Math.ceil((Date.parse(endsAt) - now) / DAY_MS)
  return left > 0
    ? `Essai gratuit\u00a0: il reste ${formatCount(left, 'jour')}`
    : `Votre essai gratuit s’est terminé le ${formatDate(endsAt)}`
}
