import type { Operation } from '@voisol/contract/operations'
import { useSession } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EnergyExplorer } from '../../../ui/energy-explorer/energy-explorer.tsx'
import { PeriodTotals } from './period-totals.tsx'

/** The operation through time: what was produced, shared, drawn from the grid. */
export default function EnergyTab({ operation }: { operation: Operation }) {
  const { user } = useSession()
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <EnergyExplorer
        title={`Énergie de ${operation.name}`}
        where={{ operationId: operation.id }}
        unitPrice={operation.unitPrice}
      >
        {({ summary }) => <PeriodTotals summary={summary} />}
      </EnergyExplorer>
      <div className="flex flex-wrap gap-2">
        <ButtonLink
          variant="secondary"
          to={`/companies/${user?.companyId ?? ''}/operations/${operation.id}/load-curves`}
        >
          Courbes de charge et imports
        </ButtonLink>
        <ButtonLink variant="secondary" to={`/acc-operations/${operation.id}/energy-distribution`}>
          Répartition entre participants
        </ButtonLink>
      </div>
    </div>
  )
}
