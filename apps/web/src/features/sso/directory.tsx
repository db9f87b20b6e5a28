import { type SsoConnection, sso } from '@voisol/contract/sso'
import { useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { hasProvedDomain } from './words.ts'

type Props = { connection: SsoConnection }

const NewToken = ({ token }: { token: string }) => (
  <div role="status" className="grid gap-2 rounded-card border border-success/25 bg-success-soft px-4 py-3">
    <p className="text-[0.8125rem]">
      Copiez ce jeton maintenant{'\u00a0'}: il ne sera plus montré. Celui d’avant ne vaut plus rien.
    </p>
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <code className="min-w-0 flex-1 basis-56 text-[0.8125rem] break-all">{token}</code>
      <CopyButton text={token} />
    </div>
  </div>
)

const ScimTokenActions = withAccess(sso.scimToken, ({ connection }: Props) => {
  const [token, setToken] = useState('')
  const make = useAction(sso.scimToken, [sso.list])
  const remove = useAction(sso.removeScimToken, [sso.list])
  const params = { id: connection.id }
  const run = () =>
    make.run({ params }).then(
      (made) => setToken(made.token),
      (error: unknown) => toast({ title: 'Aucun jeton', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <div className="grid gap-3">
      {token && <NewToken token={token} />}
      <div className="flex flex-wrap gap-2">
        {connection.scim ? (
          <Confirm
            title="Renouveler le jeton&#160;?"
            description="Celui qu’emploie votre annuaire cesse aussitôt&#160;: donnez-lui le nouveau."
            action="Renouveler le jeton"
            onConfirm={run}
            trigger={
              <Button variant="secondary" size="small">
                Renouveler le jeton
              </Button>
            }
          />
        ) : (
          <Button
            variant="secondary"
            size="small"
            disabled={!hasProvedDomain(connection)}
            loading={make.isPending}
            onClick={() => void run()}
          >
            Créer le jeton
          </Button>
        )}
        {connection.scim && (
          <Confirm
            title="Retirer le jeton&#160;?"
            description="L’annuaire ne tiendra plus les comptes. Ceux-ci restent."
            action="Retirer le jeton"
            onConfirm={() => remove.run({ params })}
            trigger={
              <Button variant="quiet" size="small">
                Retirer
              </Button>
            }
          />
        )}
      </div>
    </div>
  )
})

/** The directory that makes, changes and shuts out people by itself. */
export const DirectorySection = ({ connection }: Props) => (
  <div className="grid gap-3 text-body">
    <p className="text-ink-soft">
      Votre annuaire crée, modifie et désactive les comptes lui-même{'\u00a0'}: qui part perd tout à l’instant. Les
      groupes qu’il envoie donnent le rôle de la première règle qui les nomme.
    </p>
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <span className="basis-full text-[0.8125rem] text-ink-soft">Adresse de l’annuaire (SCIM 2.0)</span>
      <span className="min-w-0 flex-1 basis-56 font-mono text-[0.8125rem] break-all">{connection.given.scimUrl}</span>
      <CopyButton text={connection.given.scimUrl} />
    </div>
    <p className="text-[0.8125rem] text-ink-soft">
      {connection.scim
        ? `Jeton créé le ${formatDateTime(connection.scim.madeAt)}, ${connection.scim.usedAt ? `employé le ${formatDateTime(connection.scim.usedAt)}` : 'pas encore employé'}.`
        : 'Aucun jeton\u00a0: l’annuaire ne peut pas appeler.'}
    </p>
    <ScimTokenActions connection={connection} />
  </div>
)
