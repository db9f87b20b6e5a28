import { useQuery } from '@tanstack/react-query'
import { allocations, type Run } from '@voisol/contract/allocations'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { formatCount, formatDate, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { formatRunKeys } from './words.tsx'

/** Nothing was lost and nothing was made up: told so that anybody can follow. */
export function ProofCard({ run }: { run: Run }) {
  const { data, error, refetch } = useQuery(query(allocations.proof, { params: { id: run.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-44 w-full" />
  const isProven = data.broken === 0 && data.above === 0 && data.sameHash
  const Icon = isProven ? ShieldCheck : ShieldAlert
  return (
    <Card title="Preuve de conservation" description="Les chiffres enregistrés, vérifiés à nouveau à l’instant.">
      <p className="flex items-start gap-2.5 text-body">
        <Icon aria-hidden="true" className={`size-6 shrink-0 ${isProven ? 'text-success' : 'text-danger'}`} />
        <span className="text-base font-semibold">
          {data.retiredBefore
            ? formatCount(data.checked, 'jour vérifié', 'jours vérifiés')
            : formatCount(data.checked, 'pas vérifié', 'pas vérifiés')}
          , {formatCount(data.broken + data.above, 'écart')}
        </span>
      </p>
      <ul className="mt-3 grid gap-1.5 text-body text-ink-soft">
        <li>
          {data.broken === 0
            ? 'À chaque instant, ce que les consommateurs ont reçu et le surplus font exactement la production.'
            : `À ${formatNumber(data.broken)} instants, la somme ne fait pas la production.`}
        </li>
        <li>
          {data.above === 0
            ? 'Personne n’a reçu plus que ce qu’il consommait.'
            : `À ${formatNumber(data.above)} instants, quelqu’un a reçu plus que ce qu’il consommait.`}
        </li>
        {data.retiredBefore && (
          <li>
            Les courbes d’avant le {formatDate(data.retiredBefore)} ont été effacées au terme de leur conservation.
            Leurs sommes de chaque jour restent, et sont vérifiées ici.
          </li>
        )}
        <li>
          {data.sameHash
            ? 'Rien n’a été modifié depuis le calcul\u00a0: l’empreinte est la même.'
            : 'L’empreinte a changé depuis le calcul\u00a0: prévenez le support.'}
        </li>
      </ul>
    </Card>
  )
}

const Hash = ({ label, value }: { label: string; value: string | null }) => (
  <div className="min-w-0">
    <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="mt-1 flex flex-wrap items-center gap-2">
      <code className="tabular max-w-[33ch] min-w-0 text-[0.8125rem] break-all">{value ?? '–'}</code>
      {value && <CopyButton text={value} />}
    </dd>
  </div>
)

/** What makes the result one that can be found again. */
export const TraceCard = ({ run }: { run: Run }) => (
  <Card title="Traçabilité" description="Les mêmes données donnent toujours les mêmes empreintes.">
    <dl className="grid gap-4 text-body">
      <Hash label="Empreinte des données lues" value={run.inputHash} />
      <Hash label="Empreinte du résultat" value={run.resultHash} />
      <div>
        <dt className="text-[0.8125rem] text-ink-soft">Clé utilisée</dt>
        <dd className="mt-1">{formatRunKeys(run)}</dd>
      </div>
      <div>
        <dt className="text-[0.8125rem] text-ink-soft">Moteur de calcul</dt>
        <dd className="tabular mt-1">version {run.engineVersion}</dd>
      </div>
      {run.finishedAt && (
        <div>
          <dt className="text-[0.8125rem] text-ink-soft">Terminé le</dt>
          <dd className="tabular mt-1">{formatDateTime(run.finishedAt)}</dd>
        </div>
      )}
    </dl>
  </Card>
)
