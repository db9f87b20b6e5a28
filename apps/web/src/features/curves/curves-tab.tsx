import { curves } from '@voisol/contract/curves'
import { withDe } from '@voisol/contract/elision'
import type { Operation } from '@voisol/contract/operations'
import { useSearchParams } from 'react-router'
import { withAccess } from '../../lib/can.tsx'
import { formatPointName } from '../../lib/point-name.ts'
import { useSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EnergyExplorer } from '../../ui/energy-explorer/energy-explorer.tsx'
import { ComparePoints } from './compare-points.tsx'
import { PointPicker } from './point-picker.tsx'
import { useCurveTabLink } from './tab-link.ts'
import { usePoints } from './use-operation.ts'

const POINTS_PARAM = 'points'

const ImportLink = withAccess(curves.upload, () => (
  <ButtonLink variant="secondary" to={useCurveTabLink()('imports')}>
    Importer des courbes
  </ButtonLink>
))

const NoReadings = () => (
  <EmptyState
    title="Aucune donnée sur cette période"
    why="Aucun relevé n’a été reçu pour ces jours. Choisissez une autre période."
    action={<ImportLink />}
  />
)

/** The whole operation, one point, or a few points side by side; the choice is in the address. */
export default function CurvesTab({ operation }: { operation: Operation }) {
  const { data } = usePoints(operation.id)
  const companyId = useSession().user?.companyId ?? ''
  const [search, setSearch] = useSearchParams()
  const points = data?.items ?? []
  const requestedIds = (search.get(POINTS_PARAM) ?? '').split(',')
  const chosen = points.filter(({ id }) => requestedIds.includes(id))
  const choose = (ids: string[]) =>
    setSearch(
      (old) => {
        if (ids.length > 0) old.set(POINTS_PARAM, ids.join(','))
        else old.delete(POINTS_PARAM)
        return old
      },
      { preventScrollReset: true },
    )
  const [one] = chosen
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PointPicker
        points={points}
        chosen={chosen}
        onChange={choose}
        pathOf={({ id }) => `/companies/${companyId}/operations/${operation.id}/load-curves/${id}`}
      />
      {chosen.length > 1 || one?.direction === 'production' ? (
        <ComparePoints points={chosen} />
      ) : (
        <EnergyExplorer
          key={one?.id}
          title={one ? `Courbe ${withDe(formatPointName(one))}` : `Courbes ${withDe(operation.name)}`}
          where={{ operationId: operation.id, ...(one && { pointId: one.id }) }}
          unitPrice={operation.unitPrice}
          empty={<NoReadings />}
        />
      )}
    </div>
  )
}
