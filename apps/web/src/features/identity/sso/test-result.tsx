import { useQuery } from '@tanstack/react-query'
import { type SsoTestResult, sso } from '@voisol/contract/sso'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { FactList } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { query } from '../../../lib/queries.ts'

const buildTestFacts = ({ email, firstName, lastName, groups, roleName }: SsoTestResult) => [
  { label: 'Adresse', value: email },
  { label: 'Nom', value: `${firstName} ${lastName}`.trim() || 'Non donné' },
  { label: 'Groupes reçus', value: groups.join(', ') || 'Aucun' },
  { label: 'Rôle à la première connexion', value: roleName || 'Aucun\u00a0: l’entrée serait refusée' },
]

const Claims = ({ claims }: Pick<SsoTestResult, 'claims'>) => (
  <section className="grid gap-2">
    <h3 className="text-body font-semibold">Ce que le fournisseur a envoyé</h3>
    <dl className="grid divide-y divide-line rounded-card border border-line text-[0.8125rem]">
      {claims.map(({ name, value }) => (
        <div key={name} className="grid gap-x-4 gap-y-0.5 px-4 py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <dt className="font-mono break-all text-ink-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  </section>
)

function TestOutcome({ trial }: { trial: SsoTestResult }) {
  const isRefused = trial.state === 'refused'
  return (
    <div className="grid gap-5">
      <p className="flex flex-wrap items-center gap-3 text-body">
        <Badge tone={isRefused ? 'danger' : 'success'}>{isRefused ? 'Refusé' : 'Réussi'}</Badge>
        {isRefused ? trial.reason : 'La signature, l’émetteur et l’adresse sont les bons. Rien n’a été ouvert.'}
      </p>
      {trial.email && <FactList facts={buildTestFacts(trial)} />}
      {trial.claims.length > 0 && <Claims claims={trial.claims} />}
    </div>
  )
}

/** Back from a trial: what was received, before anybody comes in by it. */
export default function ConnectionTestDialog({ id }: { id: string }) {
  const [, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(sso.trial, { params: { id } }))
  const close = () =>
    setSearch(
      (search) => {
        search.delete('essai')
        return search
      },
      { replace: true },
    )
  return (
    <Dialog title="Essai de la connexion" width="wide" open onOpenChange={(open) => !open && close()}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && !data && <Skeleton className="h-64 w-full" />}
      {data && <TestOutcome trial={data} />}
    </Dialog>
  )
}
