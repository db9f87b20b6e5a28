import Sun from 'lucide-react/icons/sun'
import { trialText } from './trial.ts'

export const TrialBanner = ({ endsAt }: { endsAt: string }) => (
  <section
    aria-label="Essai gratuit"
    data-print="hide"
    className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-1.5 text-center text-[0.8125rem] font-medium text-warning"
  >
    <Sun aria-hidden="true" className="size-4" />
    <p>{trialText(endsAt, Date.now())}</p>
  </section>
)
