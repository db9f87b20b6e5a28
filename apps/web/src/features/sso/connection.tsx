import { type SsoConnection, sso } from '@voisol/contract/sso'
import { type ReactNode, Suspense, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Steps } from '../../ui/steps.tsx'
import { DirectorySection } from './directory.tsx'
import { DomainList } from './domains.tsx'
import { ServiceProviderDetails } from './given.tsx'
import { ActivationButton, EnforceButton, RemoveConnectionButton, TestConnectionButton } from './switches.tsx'
import {
  getDaysUntil,
  getExpiryTone,
  getSetupStep,
  getSsoConnectionState,
  isProviderConfigured,
  SSO_KIND_LABELS,
  SSO_STEPS,
} from './words.ts'

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
