import type { CurveImport } from '@voisol/contract/curves'
import { withDe } from '@voisol/contract/elision'
import type { Operation } from '@voisol/contract/operations'
import CircleCheck from 'lucide-react/icons/circle-check'
import { buildPeriodSearch } from '../../../lib/context.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { useCurveTabLink } from '../tab-link.ts'

/** What has been stored, and where to see it. */
export function ImportDone({ item, operation }: { item: CurveImport; operation?: Operation }) {
  const own = item.detected
  const days = own && { unit: 'range', from: own.from, to: own.to }
  const tabLink = useCurveTabLink()
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card bg-success-soft p-4">
      <CircleCheck aria-hidden="true" className="size-5 text-success" />
      <p className="min-w-0 grow text-body font-medium">{item.message}</p>
      {days && (
        <div className="flex flex-wrap gap-2">
          {operation && (
            <ButtonLink
              size="small"
              to={`/acc-operations/${operation.id}/energy-distribution?onglet=calculs&${buildPeriodSearch(days)}`}
            >
              Répartir ces jours
            </ButtonLink>
          )}
          <ButtonLink variant="secondary" size="small" to={tabLink('courbes', days)}>
            {operation ? `Voir les courbes ${withDe(operation.name)}` : 'Voir les courbes'}
          </ButtonLink>
          <ButtonLink variant="secondary" size="small" to={tabLink('completude', days)}>
            Voir la complétude
          </ButtonLink>
        </div>
      )}
    </div>
  )
}
