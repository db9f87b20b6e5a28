import { useQuery } from '@tanstack/react-query'
import { tariffs } from '@voisol/contract/tariffs'
import Plus from 'lucide-react/icons/plus'
import { useSearchParams } from 'react-router'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { OperationSelector } from '../../ui/operation-choice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { NEW_TARIFF_VERSION, useVersionLink } from './links.ts'
import { NewTariffVersion } from './new-version.tsx'
import { TariffTimeline } from './timeline.tsx'
import { TariffVersionView } from './version.tsx'

function TariffVersions({ operationId }: { operationId: string }) {
  const [search] = useSearchParams()
  const link = useVersionLink()
  const canWrite = useCan()(tariffs.create)
  const params = { id: operationId }
  const { data, error, refetch } = useQuery(query(tariffs.list, { params }))
  const choices = useQuery(query(tariffs.choices, { params }))
  const loadError = error ?? choices.error
  if (loadError) return <ErrorState error={loadError} onRetry={error ? refetch : choices.refetch} />
  if (!data || !choices.data) return <Skeleton className="h-96 w-full" />
  const { items, proposal } = data
  const requestedVersion = search.get('version')
  const isNew = canWrite && requestedVersion === NEW_TARIFF_VERSION
  const chosen = items.find(({ id }) => id === requestedVersion) ?? items.find(({ inForce }) => inForce) ?? items[0]
  const add = canWrite && (
    <ButtonLink
      className="justify-self-start xl:justify-self-stretch"
      to={link({ operation: operationId, version: NEW_TARIFF_VERSION })}
      icon={<Plus aria-hidden="true" />}
    >
      Préparer un tarif
    </ButtonLink>
  )
  if (!chosen && !isNew)
    return (
      <EmptyState
        title="Aucun tarif"
        why={`Sans tarif adopté, aucun mois ne se clôture.${canWrite && proposal ? ' Un premier tarif est proposé d’après le prix de l’opération.' : ''}`}
        action={add}
      />
    )
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[20rem_minmax(0,1fr)] [&>*]:min-w-0">
      <div className="grid gap-4">
        <p className="text-body text-ink-soft">
          Chaque version vaut à partir d’un jour, même au milieu d’un mois&nbsp;; les jours passés gardent la leur.
        </p>
        {add}
        <TariffTimeline versions={items} chosen={isNew ? undefined : chosen?.id} />
      </div>
      {isNew ? (
        <NewTariffVersion
          operationId={operationId}
          choices={choices.data}
          model={search.get('modele')}
          proposal={proposal}
        />
      ) : (
        chosen && <TariffVersionView key={chosen.id} id={chosen.id} choices={choices.data} />
      )}
    </div>
  )
}

/** The prices of an operation, version after version. */
export default function TariffsTab() {
  return (
    <OperationSelector why="Un tarif est celui d’une opération.">
      {({ id }) => <TariffVersions operationId={id} />}
    </OperationSelector>
  )
}
