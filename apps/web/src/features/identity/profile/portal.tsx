import { useQuery } from '@tanstack/react-query'
import { type Consent, consents } from '@voisol/contract/consents'
import type { EndpointReply } from '@voisol/contract/endpoint'
import type { ReactNode } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import {
  CONSENT_STATE_LABELS,
  findLatestConsent,
  formatConsentDates,
  getLatestConsentExpiry,
  isConsentGiven,
} from '../../../lib/consents.ts'
import { explainError } from '../../../lib/error-text.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ProfileSections } from './sections.tsx'

type PortalProfileProps = { children?: ReactNode; last?: ReactNode }

export default function PortalProfile({ children, last }: PortalProfileProps) {
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Mon profil" description="Vos coordonnées, vos consentements et la sécurité de votre compte." />
      <ProfileSections last={last}>
        <OwnConsents />
        {children}
      </ProfileSections>
    </div>
  )
}

type ConsentsReply = EndpointReply<typeof consents.list>
type ConsentChoiceProps = {
  text: ConsentsReply['texts'][number]
  consent?: Consent
  participant: ConsentsReply['participants'][number]
}

function GiveConsentButton({ text, consent, participant }: ConsentChoiceProps) {
  const give = useAction(consents.give, [consents.list])
  const { purpose, title, version: textVersion } = text
  const giveConsent = () => {
    const givenOn = getTodayInParis()
    const body = {
      purpose,
      textVersion,
      method: 'portal' as const,
      givenOn,
      expiresOn: getLatestConsentExpiry(givenOn),
    }
    return give.run({ params: { id: participant.id }, body }).then(
      () => toast({ title: 'Votre accord est enregistré', description: title, variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Accord non enregistré', description: explainError(error), variant: 'destructive' }),
    )
  }
  const actionLabel = consent?.state === 'expiring' ? 'Renouveler mon accord' : 'Donner mon accord'
  return (
    <Button
      variant="secondary"
      aria-label={`${actionLabel}\u00a0: ${title}`}
      loading={give.isPending}
      onClick={giveConsent}
    >
      {actionLabel}
    </Button>
  )
}

function WithdrawConsentButton({ text: { title, purpose }, consent }: ConsentChoiceProps & { consent: Consent }) {
  const withdraw = useAction(consents.withdraw, [consents.list])
  const withdrawConsent = async () => {
    await withdraw.run({ params: { id: consent.id } })
    toast({ title: 'Votre accord est retiré', description: title, variant: 'success' })
  }
  return (
    <Confirm
      title="Retirer votre accord&#160;?"
      description={`${title}\u00a0: le retrait vaut dès maintenant. ${CONSENT_EFFECTS[purpose].withdrawn}`}
      action="Retirer mon accord"
      onConfirm={withdrawConsent}
      trigger={
        <Button variant="quiet" aria-label={`Retirer mon accord\u00a0: ${title}`}>
          Retirer mon accord
        </Button>
      }
    />
  )
}

function ConsentChoice(props: ConsentChoiceProps) {
  const { text, consent } = props
  const { label, tone } = CONSENT_STATE_LABELS[consent?.state ?? 'missing']
  const given = isConsentGiven(consent)
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
        {text.title}
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="prose-width mt-1 text-body text-ink-soft">{text.text}</p>
      <p className="prose-width mt-1 text-body">
        <span className="font-medium">{given ? 'Si vous le retirez\u00a0: ' : 'Si vous acceptez\u00a0: '}</span>
        {CONSENT_EFFECTS[text.purpose][given ? 'withdrawn' : 'given']}
      </p>
      {consent && <p className="mt-1 text-[0.8125rem] text-ink-soft">{formatConsentDates(consent)}.</p>}
      <div className="mt-3 flex flex-wrap gap-2">
        {(!given || consent.state === 'expiring') && <GiveConsentButton {...props} />}
        {given && <WithdrawConsentButton {...props} consent={consent} />}
      </div>
    </li>
  )
}

/** Each purpose is a choice of its own, for each participant the person stands for. */
function OwnConsents() {
  const { data, error, refetch } = useQuery(query(consents.list, { query: {} }))
  if (data && data.participants.length === 0) return null
  return (
    <Card
      title="Mes consentements"
      description="Vous choisissez à quoi servent vos mesures, et pouvez changer d’avis à tout moment."
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data?.participants.map((participant) => (
        <section key={participant.id} aria-label={participant.name} className="not-first:mt-6">
          {data.participants.length > 1 && <h3 className="mb-3 text-body font-semibold">{participant.name}</h3>}
          <ul className="divide-y divide-line">
            {data.texts.map((text) => (
              <ConsentChoice
                key={text.purpose}
                text={text}
                consent={findLatestConsent(data.items, text.purpose, participant.id)}
                participant={participant}
              />
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}

/** What an agreement brings and what ends without it, said before somebody decides. */
const CONSENT_EFFECTS: Record<Consent['purpose'], { given: string; withdrawn: string }> = {
  collection: {
    given: 'Votre part d’énergie locale est calculée toutes les quinze minutes, et vos factures en découlent.',
    withdrawn:
      'Votre organisateur doit faire cesser les relevés. Sans eux, vous ne recevez plus d’énergie locale. Les factures déjà émises restent dues.',
  },
  analysis: {
    given: 'Vos mesures peuvent servir à des analyses de vos heures et de vos saisons, pour vous seul.',
    withdrawn: 'Vos mesures ne servent plus à ces analyses. Vos chiffres et vos factures restent les mêmes.',
  },
  comparison: {
    given: 'Vos mesures entrent dans des moyennes d’au moins cinq voisins. Personne ne peut vous y reconnaître.',
    withdrawn:
      'Vos mesures sortent de ces moyennes dès maintenant. Vous continuez à voir celle de vos voisins quand elle existe.',
  },
  advice: {
    given: 'Vous pouvez recevoir des conseils tirés de vos mesures.',
    withdrawn:
      'Vous ne recevez plus de conseils tirés de vos mesures. L’annonce des heures de demain vaut pour toute l’opération\u00a0: elle se règle dans vos notifications.',
  },
}
