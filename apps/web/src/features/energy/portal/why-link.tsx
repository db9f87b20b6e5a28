import ArrowRight from 'lucide-react/icons/arrow-right'
import { Link } from '../../../ui/link.tsx'
import type { Mine } from './my-points.ts'
import type { Month } from './use-month.ts'

/** To the story behind the month's figure, of the operation the point is in. It is told of what is consumed: a battery's charge is not. */
export function WhyLink({ mine, month: { days } }: { mine: Mine; month: Month }) {
  if (mine.battery) return null
  const point = mine.points.find(({ operationId, participantId }) => operationId && participantId)
  if (!point?.operationId || !point.participantId) return null
  const about = { operation: point.operationId, membre: point.participantId, mois: `${days.from.slice(0, 7)}-01` }
  return (
    <p>
      <Link
        to={`/client-portal/why?${new URLSearchParams(about)}`}
        className="inline-flex min-h-11 items-center gap-2 font-medium text-link"
      >
        Pourquoi ce chiffre&#160;?
        <ArrowRight aria-hidden="true" className="size-4" />
      </Link>
    </p>
  )
}
