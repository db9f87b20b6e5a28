import { useQuery } from '@tanstack/react-query'
import { keys } from '@voisol/contract/keys'
import type { Operation } from '@voisol/contract/operations'
import Plus from 'lucide-react/icons/plus'
import { useSearchParams } from 'react-router'
import { useCan } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useTabLink } from '../tab-link.ts'
import { useKeyMembers } from '../use-members.ts'
import { NEW_VERSION } from './changes.ts'
import { NewKeyVersion } from './new-version.tsx'
import { KeyTimeline } from './timeline.tsx'
import { KeyVersionDetail } from './version.tsx'

const loadingSkeleton = <Skeleton className="h-96 w-full" />

/** The rule by which energy is shared, version after version. */
export default function KeysTab({ operation }: { operation: Operation }) {
  const [search] = useSearchParams()
  const link = useTabLink()
  const canWrite = useCan()(keys.create)
  const { data, error, refetch } = useQuery(query(keys.list, { params: { id: operation.id } }))
  const points = useKeyMembers(operation.id)
  const failed = error ?? points.error
  if (failed) return <ErrorState error={failed} onRetry={error ? refetch : points.refetch} />
  if (!data || !points.members) return loadingSkeleton
  const { items } = data
  const requestedVersion = search.get('cle')
  const isNew = canWrite && requestedVersion === NEW_VERSION
  const chosen = items.find(({ id }) => id === requestedVersion) ?? items.find(({ inForce }) => inForce) ?? items[0]
  const add = canWrite && (
    <ButtonLink
      className="justify-self-start xl:justify-self-stretch"
      to={link('cles', { cle: NEW_VERSION })}
      icon={<Plus aria-hidden="true" />}
    >
      Préparer une version
    </ButtonLink>
  )
  if (!chosen && !isNew)
    return (
      <EmptyState
        title="Aucune clé de répartition"
        why={`La clé dit comment l’énergie produite se partage.${canWrite ? ' Préparez une première version, puis adoptez-la.' : ''}`}
        action={add}
      />
    )
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[20rem_minmax(0,1fr)] [&>*]:min-w-0">
      <div className="grid gap-4">
        <p className="text-body text-ink-soft">
          La clé dit comment l’énergie produite se partage. Chaque version vaut à partir d’un jour&nbsp;; les jours
          passés gardent la leur.
        </p>
        {add}
        <KeyTimeline versions={items} chosen={isNew ? undefined : chosen?.id} />
      </div>
      {isNew ? (
        <NewKeyVersion operationId={operation.id} members={points.members} model={search.get('modele')} />
      ) : (
        chosen && <KeyVersionDetail id={chosen.id} members={points.members} />
      )}
    </div>
  )
}
