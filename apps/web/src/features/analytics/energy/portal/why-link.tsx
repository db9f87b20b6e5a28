import { monthOf } from '@voisol/energy/calendar'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { Link } from '../../../../components/link.tsx'
import type { OwnSide } from './my-points.ts'

type WhyLinkProps = { mine: OwnSide; from: string }

/** To the story behind a month's figure, of each operation one is in. It is told of what is consumed: a battery's charge is not. */
export function WhyLink({ mine, from }: WhyLinkProps) {
  const explanations = mine.battery ? [] : listExplanations(mine)
  if (explanations.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-6">
      {explanations.map(({ operationId, participantId, name }) => (
        <li key={`${operationId} ${participantId}`}>
          <Link
            to={`/client-portal/why?${new URLSearchParams({ operation: operationId, membre: participantId, mois: monthOf(from) })}`}
            className="inline-flex min-h-11 items-center gap-2 font-medium text-link"
          >
            Pourquoi ce chiffre{explanations.length > 1 && `, ${name}`}&#160;?
            <ArrowRight aria-hidden="true" className="size-4" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

type ExplanationRef = { operationId: string; participantId: string; name: string }

/** Whose story there is to tell: each contract in each operation, of the point that is looked at or of all. */
export function listExplanations({ points, where }: Pick<OwnSide, 'points' | 'where'>): ExplanationRef[] {
  const explanations = new Map<string, ExplanationRef>()
  for (const { id, operationId, participantId, operationName, participantName } of points) {
    if (!operationId || !participantId || (where.pointId && where.pointId !== id)) continue
    explanations.set(`${operationId} ${participantId}`, { operationId, participantId, name: operationName })
    const same = [...explanations.values()].filter((story) => story.operationId === operationId)
    // Two contracts in one operation are told apart by whose they are.
    if (same.length > 1)
      explanations.set(`${operationId} ${participantId}`, { operationId, participantId, name: participantName })
  }
  return [...explanations.values()]
}
