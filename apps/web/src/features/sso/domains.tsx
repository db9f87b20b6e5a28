import { type SsoConnection, sso } from '@voisol/contract/sso'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'

type Props = { connection: SsoConnection }
type Domain = SsoConnection['domains'][number]

const AddDomainForm = withAccess(sso.addDomain, ({ connection }: Props) => {
  const add = useAction(sso.addDomain, [sso.list])
  const form = useSchemaForm(sso.addDomain.body, {
    defaults: { domain: '' },
    save: async (body) => {
      await add.run({ params: { id: connection.id }, body })
      form.reset()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field form={form} name="domain" label="Domaine des adresses" placeholder="exemple.fr" autoComplete="off" />
      </div>
      <Button type="submit" variant="secondary" loading={form.formState.isSubmitting}>
        Ajouter
      </Button>
    </form>
  )
})

const ProveDomainButton = withAccess(sso.proveDomain, ({ connection, domain }: Props & { domain: Domain }) => {
  const prove = useAction(sso.proveDomain, [sso.list])
  const run = () =>
    prove.run({ params: { id: connection.id }, body: { domain: domain.domain } }).then(
      () => toast({ title: `${domain.domain} est prouvé`, variant: 'success' }),
      (error: unknown) => toast({ title: 'Pas encore', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button size="small" loading={prove.isPending} onClick={() => void run()}>
      Vérifier
    </Button>
  )
})

const RemoveDomainButton = withAccess(
  sso.removeDomain,
  ({ connection, domain: { domain } }: Props & { domain: Domain }) => {
    const remove = useAction(sso.removeDomain, [sso.list])
    return (
      <Confirm
        title={`Retirer ${domain}\u00a0?`}
        description="Les personnes de ce domaine n’entreront plus par cette connexion. Leurs comptes restent."
        action="Retirer le domaine"
        onConfirm={() => remove.run({ params: { id: connection.id }, body: { domain } })}
        trigger={
          <Button variant="quiet" size="small">
            Retirer
          </Button>
        }
      />
    )
  },
)

/** A record is to be written, or to be put back. */
const needsRecord = ({ provedAt, lapsedAt }: Domain) => !provedAt || lapsedAt !== null

function DomainStatus({ domain: { provedAt, lapsedAt, checkedAt } }: { domain: Domain }) {
  if (provedAt && lapsedAt) return <Badge tone="danger">Preuve disparue le {formatDate(lapsedAt)}</Badge>
  if (!provedAt) return <Badge tone="warning">{lapsedAt ? 'Preuve perdue' : 'À prouver'}</Badge>
  return (
    <>
      <Badge tone="success">Prouvé le {formatDate(provedAt)}</Badge>
      {checkedAt && <span className="text-[0.8125rem] text-ink-soft">vérifié le {formatDate(checkedAt)}</span>}
    </>
  )
}

const DomainRow = ({ connection, domain }: Props & { domain: Domain }) => (
  <li className="grid gap-2 py-3 first:pt-0">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium break-all">{domain.domain}</span>
        <DomainStatus domain={domain} />
      </span>
      <span className="flex gap-2">
        {needsRecord(domain) && <ProveDomainButton connection={connection} domain={domain} />}
        <RemoveDomainButton connection={connection} domain={domain} />
      </span>
    </div>
    {needsRecord(domain) && (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-page px-4 py-3">
        <p className="basis-full text-[0.8125rem] text-ink-soft">
          {domain.believedUntil &&
            `Sa preuve n’est plus dans le DNS\u00a0: sans elle, plus personne de ce domaine n’entre par cette connexion à partir du ${formatDate(domain.believedUntil)}. `}
          Chez l’hébergeur de vos noms, {domain.lapsedAt ? 'remettez' : 'ajoutez'} à {domain.domain} un enregistrement
          TXT{'\u00a0'}:
        </p>
        <code className="min-w-0 flex-1 basis-56 text-[0.8125rem] break-all">{domain.record}</code>
        <CopyButton text={domain.record} />
      </div>
    )}
  </li>
)

/** The domains that the connection answers for, each proved by a record that only its owner can write. */
export const DomainList = ({ connection }: Props) => (
  <div className="grid gap-4 text-body">
    {connection.domains.length > 0 && (
      <ul className="divide-y divide-line">
        {connection.domains.map((domain) => (
          <DomainRow key={domain.domain} connection={connection} domain={domain} />
        ))}
      </ul>
    )}
    <AddDomainForm connection={connection} />
  </div>
)
