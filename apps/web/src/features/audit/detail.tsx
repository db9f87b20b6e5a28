import { useQuery } from '@tanstack/react-query'
import { audit } from '@voisol/contract/audit'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { listAuditChanges } from './changes.ts'
import { AuditObject } from './object.tsx'

const headerCellClass = 'py-1.5 pr-4 text-left font-normal text-ink-soft'
const cellClass = 'py-1.5 pr-4 align-top break-words'

function ChangesTable({ detail }: { detail: Record<string, unknown> }) {
  const changes = listAuditChanges(detail)
  if (changes.length === 0) return <p className="text-body text-ink-soft">Rien de plus n’a été noté.</p>
  return (
    <table className="w-full table-fixed text-[0.8125rem]">
      <thead>
        <tr>
          <th className={`${headerCellClass} w-1/4`}>Champ</th>
          <th className={headerCellClass}>Avant</th>
          <th className={headerCellClass}>Après</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-t border-line">
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <td className={cellClass}>
              <code>{name}</code>
            </td>
            <td className={`${cellClass} text-ink-soft`}>{before}</td>
            <td className={`${cellClass} font-medium`}>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ApplyFilters = (filters: { userId?: string; keyId?: string; target?: string; action?: string }) => void

/** All that is kept of an entry, and ways to those like it. */
export function AuditEntryDetail({ id, narrow }: { id: string; narrow: ApplyFilters }) {
  const { data, error, refetch } = useQuery(query(audit.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  const { userId, keyId, target, action } = data
  const button = (label: string, filters: Parameters<ApplyFilters>[0]) => (
    <Button variant="secondary" size="small" onClick={() => narrow(filters)}>
      {label}
    </Button>
  )
  return (
    <div className="grid gap-4 py-2 [&>*]:min-w-0">
      <ChangesTable detail={data.detail} />
      <FactList
        facts={[
          { label: 'Objet', value: <AuditObject entry={data} withId /> },
          { label: 'Auteur', value: data.actorName === data.actor ? data.actor : `${data.actorName} (${data.actor})` },
          { label: 'Appel', value: <code className="text-[0.8125rem]">{action}</code> },
          { label: 'Adresse', value: data.ip || '—' },
          { label: 'Requête', value: <code className="text-[0.8125rem]">{data.requestId || '—'}</code> },
          { label: `Maillon ${data.id}`, value: <code className="text-[0.8125rem] break-all">{data.hash}</code> },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {keyId
          ? button('Tout ce qu’a fait cette clé', { keyId })
          : userId && button('Tout ce qu’a fait cette personne', { userId })}
        {target && button('Tout sur cet objet', { target })}
        {button('Toutes les actions de ce genre', { action })}
      </div>
    </div>
  )
}
