import { useQuery } from '@tanstack/react-query'
import { type OwnToken, ownFeed } from '@voisol/contract/own-feed'
import { Suspense, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatDate, formatRelativeTime } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { OWN_SCOPE_LABELS } from './words.ts'

const OwnTokenDialog = lazy(() => import('./token-dialog.tsx'))

function OwnTokenItem({ token }: { token: OwnToken }) {
  const revoke = useAction(ownFeed.revoke, [ownFeed.tokens])
  const { id, name, scopes, createdAt, lastUsedAt } = token
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <span className="min-w-0">
        <span className="font-medium break-words">{name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {`${scopes.map((scope) => OWN_SCOPE_LABELS[scope]).join(', ')}. Créé le ${formatDate(createdAt)}, ${lastUsedAt ? `lu ${formatRelativeTime(lastUsedAt)}` : 'jamais lu'}.`}
        </span>
      </span>
      <Confirm
        title={`Révoquer «\u00a0${name}\u00a0»\u00a0?`}
        description="L’appareil ou le tableur qui s’en sert n’aura plus rien. Vous pourrez créer un autre jeton."
        action="Révoquer le jeton"
        onConfirm={() => revoke.run({ params: { id } })}
        trigger={
          <Button variant="quiet" size="small" aria-label={`Révoquer ${name}`}>
            Révoquer
          </Button>
        }
      />
    </li>
  )
}

function OwnTokens() {
  const { data, error, refetch } = useQuery(query(ownFeed.tokens, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-16 w-full" />
  if (!data.items.length) return <p className="text-body text-ink-soft">Aucun jeton pour l’instant.</p>
  return (
    <ul className="divide-y divide-line text-body">
      {data.items.map((token) => (
        <OwnTokenItem key={token.id} token={token} />
      ))}
    </ul>
  )
}

/** One's own figures, for what one has at home. */
export function OwnFeed() {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Mes chiffres ailleurs"
      description="Lisez vos énergies et vos factures depuis Home Assistant ou un tableur, avec un jeton qui ne sait que lire."
      actions={
        <Button variant="secondary" onClick={() => setOpen(true)}>
          Créer un jeton
        </Button>
      }
    >
      <OwnTokens />
      <Suspense fallback={null}>{open && <OwnTokenDialog onClose={() => setOpen(false)} />}</Suspense>
    </Card>
  )
}
