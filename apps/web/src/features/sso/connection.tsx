import { type SsoConnection, sso } from '@voisol/contract/sso'
import { type ReactNode, Suspense, useState } from 'react'
import { only } from '../../lib/can.tsx'
import { date, dateTime, plural } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Steps } from '../../ui/steps.tsx'
import { Directory } from './directory.tsx'
import { Domains } from './domains.tsx'
import { Given } from './given.tsx'
import { Enforce, Remove, Switch, Try } from './switches.tsx'
import { daysUntil, isSet, KINDS, STEPS, stateOf, stepOf, toneOf } from './words.ts'

const SettingsForm = lazy(() => import('./settings-form.tsx'))

type Props = { connection: SsoConnection }

const Edit = only(sso.update, ({ connection }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
        {isSet(connection) ? 'Modifier' : 'Régler le fournisseur'}
      </Button>
      <Suspense fallback={null}>
        {open && <SettingsForm connection={connection} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
})

function Expiry({ day }: { day: string }) {
  const days = daysUntil(day)
  const tone = toneOf(days)
  if (tone === 'neutral') return date(day)
  return <Badge tone={tone}>{days < 0 ? `Expiré le ${date(day)}` : `${date(day)}, dans ${plural(days, 'jour')}`}</Badge>
}

const oidcFacts = ({ issuer, clientId, secretExpiresOn }: SsoConnection) => [
  { label: 'Émetteur', value: issuer },
  { label: 'Identifiant client', value: clientId },
  { label: 'Le secret expire le', value: secretExpiresOn ? <Expiry day={secretExpiresOn} /> : 'Date non renseignée' },
]
const samlFacts = ({ entityId, ssoUrl, certificates, responseSigned }: SsoConnection) => [
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

const Part = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <section className="grid content-start gap-3 border-t border-line pt-5">
    <header className="flex flex-wrap items-center justify-between gap-2">
      <h3 className="text-body font-semibold">{title}</h3>
      {actions}
    </header>
    {children}
  </section>
)

const NOT_SET = 'Recopiez d’abord nos adresses chez votre fournisseur, puis reportez ici ce qu’il vous donne.'

const Provider = ({ connection }: Props) => (
  <Part title="Fournisseur d’identité" actions={<Edit connection={connection} />}>
    {isSet(connection) ? (
      <FactList facts={connection.kind === 'oidc' ? oidcFacts(connection) : samlFacts(connection)} />
    ) : (
      <p className="text-body text-ink-soft">{NOT_SET}</p>
    )}
  </Part>
)

const standing = ({ testedAt, enforcedAt, breakGlass, people }: SsoConnection) =>
  [
    testedAt ? `Essayée le ${dateTime(testedAt)}.` : 'Pas encore essayée.',
    `${plural(people, 'personne connue', 'personnes connues')}.`,
    enforcedAt && breakGlass && `Secours\u00a0: ${breakGlass.name} (${breakGlass.email}).`,
  ]
    .filter(Boolean)
    .join(' ')

const SECOND_FACTOR =
  'La double authentification est celle du fournisseur\u00a0: Voisol n’en demande pas une seconde à qui entre par lui.'

/** One connection, from its first domain to the day it is the only door. */
export function Connection({ connection }: Props) {
  const state = stateOf(connection)
  return (
    <Card
      title={connection.name}
      description={KINDS[connection.kind].label}
      actions={<Badge tone={state.tone}>{state.label}</Badge>}
    >
      <div className="grid gap-6 [&>*]:min-w-0">
        <Steps steps={STEPS} current={stepOf(connection)} />
        <div className="grid items-start gap-x-10 gap-y-6 xl:grid-cols-2 [&>*]:min-w-0">
          <Part title="Domaines">
            <Domains connection={connection} />
          </Part>
          <Part title="À recopier chez le fournisseur">
            <Given connection={connection} />
          </Part>
          <Provider connection={connection} />
          <Part title="Annuaire">
            <Directory connection={connection} />
          </Part>
        </div>
        <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
          <p className="prose-width text-[0.8125rem] text-ink-soft">
            {standing(connection)} {SECOND_FACTOR}
          </p>
          <div className="flex flex-wrap gap-2">
            <Remove connection={connection} />
            <Try connection={connection} />
            <Switch connection={connection} />
            <Enforce connection={connection} />
          </div>
        </footer>
      </div>
    </Card>
  )
}
