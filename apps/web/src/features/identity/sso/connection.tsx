import { type SsoConnection, sso } from '@voisol/contract/sso'
import { type ReactNode, Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Field } from '../../../components/field.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Steps } from '../../../components/steps.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDate, formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ActivationButton, EnforceButton, RemoveConnectionButton, TestConnectionButton } from './connection-actions.tsx'
import {
  getDaysUntil,
  getExpiryTone,
  getSetupStep,
  getSsoConnectionState,
  hasProvedDomain,
  isProviderConfigured,
  SSO_KIND_LABELS,
  SSO_STEPS,
} from './labels.ts'

const SsoSettingsDialog = lazy(() => import('./settings-form.tsx'))

type Props = { connection: SsoConnection }

const EditConnectionButton = withAccess(sso.update, ({ connection }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
        {isProviderConfigured(connection) ? 'Modifier' : 'Régler le fournisseur'}
      </Button>
      <Suspense fallback={null}>
        {open && <SsoSettingsDialog connection={connection} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
})

function Expiry({ day }: { day: string }) {
  const days = getDaysUntil(day)
  const tone = getExpiryTone(days)
  if (tone === 'neutral') return formatDate(day)
  return (
    <Badge tone={tone}>
      {days < 0 ? `Expiré le ${formatDate(day)}` : `${formatDate(day)}, dans ${formatCount(days, 'jour')}`}
    </Badge>
  )
}

const buildOidcFacts = ({ issuer, clientId, secretExpiresOn }: SsoConnection) => [
  { label: 'Émetteur', value: issuer },
  { label: 'Identifiant client', value: clientId },
  { label: 'Le secret expire le', value: secretExpiresOn ? <Expiry day={secretExpiresOn} /> : 'Date non renseignée' },
]
const buildSamlFacts = ({ entityId, ssoUrl, certificates, responseSigned }: SsoConnection) => [
  { label: 'Identifiant d’entité', value: entityId },
  { label: 'Adresse de connexion', value: ssoUrl },
  ...certificates.map(({ subject, expiresOn }, index) => ({
    label: certificates.length > 1 ? `Certificat ${index + 1}` : 'Certificat',
    value: (
      <>
        {subject}
        {'\n'}
        <Expiry day={expiresOn} />
      </>
    ),
  })),
  { label: 'Signature', value: responseSigned ? 'Assertion et réponse' : 'Assertion' },
]

const ConnectionSection = ({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) => (
  <section className="grid content-start gap-3 border-t border-line pt-5">
    <header className="flex flex-wrap items-center justify-between gap-2">
      <h3 className="text-body font-semibold">{title}</h3>
      {actions}
    </header>
    {children}
  </section>
)

const NOT_SET = 'Recopiez d’abord nos adresses chez votre fournisseur, puis reportez ici ce qu’il vous donne.'

const ProviderSection = ({ connection }: Props) => (
  <ConnectionSection title="Fournisseur d’identité" actions={<EditConnectionButton connection={connection} />}>
    {isProviderConfigured(connection) ? (
      <FactList facts={connection.kind === 'oidc' ? buildOidcFacts(connection) : buildSamlFacts(connection)} />
    ) : (
      <p className="text-body text-ink-soft">{NOT_SET}</p>
    )}
  </ConnectionSection>
)

const describeStatus = ({ testedAt, enforcedAt, breakGlass, people }: SsoConnection) =>
  [
    testedAt ? `Essayée le ${formatDateTime(testedAt)}.` : 'Pas encore essayée.',
    `${formatCount(people, 'personne connue', 'personnes connues')}.`,
    enforcedAt && breakGlass && `Secours\u00a0: ${breakGlass.name} (${breakGlass.email}).`,
  ]
    .filter(Boolean)
    .join(' ')

const SECOND_FACTOR =
  'La double authentification est celle du fournisseur\u00a0: Voisol n’en demande pas une seconde à qui entre par lui.'

/** One connection, from its first domain to the day it is the only door. */
export function SsoConnectionCard({ connection }: Props) {
  const state = getSsoConnectionState(connection)
  return (
    <Card
      title={connection.name}
      description={SSO_KIND_LABELS[connection.kind].label}
      actions={<Badge tone={state.tone}>{state.label}</Badge>}
    >
      <div className="grid gap-6 [&>*]:min-w-0">
        <Steps steps={SSO_STEPS} current={getSetupStep(connection)} />
        <div className="grid items-start gap-x-10 gap-y-6 xl:grid-cols-2 [&>*]:min-w-0">
          <ConnectionSection title="Domaines">
            <DomainList connection={connection} />
          </ConnectionSection>
          <ConnectionSection title="À recopier chez le fournisseur">
            <ServiceProviderDetails connection={connection} />
          </ConnectionSection>
          <ProviderSection connection={connection} />
          <ConnectionSection title="Annuaire">
            <DirectorySection connection={connection} />
          </ConnectionSection>
        </div>
        <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
          <p className="prose-width text-[0.8125rem] text-ink-soft">
            {describeStatus(connection)} {SECOND_FACTOR}
          </p>
          <div className="flex flex-wrap gap-2">
            <RemoveConnectionButton connection={connection} />
            <TestConnectionButton connection={connection} />
            <ActivationButton connection={connection} />
            <EnforceButton connection={connection} />
          </div>
        </footer>
      </div>
    </Card>
  )
}

const CopyableValue = ({ label, text }: { label: string; text: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-2.5 first:pt-0 last:pb-0">
    <dt className="basis-full text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="flex min-w-0 flex-1 basis-56 flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <span className="min-w-0 flex-1 basis-48 font-mono text-[0.8125rem] break-all">{text}</span>
      <CopyButton text={text} />
    </dd>
  </div>
)

/** What the provider must be told, each to be copied as it is. */
const ServiceProviderDetails = ({ connection: { kind, given } }: { connection: SsoConnection }) => (
  <dl className="grid divide-y divide-line text-body">
    {kind === 'oidc' ? (
      <CopyableValue label="Adresse de retour (redirect URI)" text={given.redirectUri} />
    ) : (
      <>
        <CopyableValue label="Identifiant d’entité (entityID, audience)" text={given.entityId} />
        <CopyableValue label="Adresse de réception (ACS)" text={given.acsUrl} />
        <CopyableValue label="Métadonnées XML" text={given.metadataUrl} />
      </>
    )}
  </dl>
)

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
const DirectorySection = ({ connection }: Props) => (
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
const DomainList = ({ connection }: Props) => (
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
