import { useQuery } from '@tanstack/react-query'
import { type Consent, ConsentDraft, consents } from '@voisol/contract/consents'
import { withDe } from '@voisol/contract/elision'
import type { Endpoint, EndpointReply } from '@voisol/contract/endpoint'
import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Confirm, Dialog } from '../../../../components/dialog.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { Select } from '../../../../components/input.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { Can, withAccess } from '../../../../lib/can.tsx'
import {
  CONSENT_STATE_LABELS,
  findLatestConsent,
  formatConsentDates,
  getLatestConsentExpiry,
  isConsentGiven,
} from '../../../../lib/consents.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { Section } from './drawer-section.tsx'

const METHOD_LABELS: Record<Consent['method'], string> = {
  portal: 'sur le portail',
  paper: 'sur papier',
  joining: 'à l’adhésion, en ligne',
  import: 'par un fichier',
}
const DEPENDENT_QUERIES = [consents.list, participants.get, participants.list]

const WithdrawConsentButton = withAccess(
  consents.withdraw,
  ({ consent, title, name }: { consent: Consent; title: string; name: string }) => {
    const withdraw = useAction(consents.withdraw, DEPENDENT_QUERIES)
    const withdrawConsent = async () => {
      await withdraw.run({ params: { id: consent.id } })
      toast({ title: 'Consentement retiré', variant: 'success' })
    }
    return (
      <Confirm
        title="Retirer ce consentement&#160;?"
        description={`«\u00a0${title}\u00a0» pour ${name}\u00a0: le retrait vaut dès maintenant et reste dans l’historique.`}
        action="Retirer le consentement"
        onConfirm={withdrawConsent}
        trigger={
          <Button variant="quiet" size="small" aria-label={`Retirer\u00a0: ${title}`}>
            Retirer
          </Button>
        }
      />
    )
  },
)

function ConsentPurposeRow({
  text,
  consent,
  participant,
}: {
  text: ConsentText
  consent?: Consent
  participant: ParticipantDetail
}) {
  const [open, setOpen] = useState(false)
  const { label, tone } = CONSENT_STATE_LABELS[consent?.state ?? 'missing']
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3 text-body">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          {text.title}
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
          {consent
            ? `${formatConsentDates(consent)}, ${METHOD_LABELS[consent.method]}, texte ${consent.textVersion}.`
            : 'Aucun choix enregistré.'}
        </p>
      </div>
      <div className="flex gap-1">
        {isConsentGiven(consent) && (
          <WithdrawConsentButton consent={consent} title={text.title} name={participant.name} />
        )}
        <Can call={consents.give}>
          <Button
            variant="secondary"
            size="small"
            aria-label={`${isConsentGiven(consent) ? 'Renouveler' : 'Recueillir'}\u00a0: ${text.title}`}
            onClick={() => setOpen(true)}
          >
            {isConsentGiven(consent) ? 'Renouveler' : 'Recueillir'}
          </Button>
        </Can>
      </div>
      {open && (
        <GiveConsentDialog
          text={text}
          participant={participant}
          touched={DEPENDENT_QUERIES}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  )
}

/** What was agreed to, purpose by purpose. */
export const ConsentSection = withAccess(consents.list, ({ participant }: { participant: ParticipantDetail }) => {
  const { data, error, refetch } = useQuery(query(consents.list, { query: { participantId: participant.id } }))
  return (
    <Section title="Consentements">
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-32 w-full" />}
      <ul className="-my-1 divide-y divide-line">
        {data?.texts.map((text) => (
          <ConsentPurposeRow
            key={text.purpose}
            text={text}
            consent={findLatestConsent(data.items, text.purpose, participant.id)}
            participant={participant}
          />
        ))}
      </ul>
    </Section>
  )
})

type ConsentText = EndpointReply<typeof consents.list>['texts'][number]
type Props = { text: ConsentText; participant: ParticipantDetail; touched: Endpoint[]; onClose: () => void }

const METHOD_OPTIONS = [
  { value: 'paper', label: 'Document signé sur papier' },
  { value: 'import', label: 'Fichier d’un autre outil' },
]

function GiveConsentForm({ text, participant, touched, onClose }: Props) {
  const give = useAction(consents.give, touched)
  const today = getTodayInParis()
  const form = useSchemaForm(ConsentDraft, {
    defaults: {
      purpose: text.purpose,
      textVersion: text.version,
      method: 'paper',
      givenOn: today,
      expiresOn: getLatestConsentExpiry(today),
    },
    save: async (body) => {
      await give.run({ params: { id: participant.id }, body })
      toast({ title: 'Consentement enregistré', description: text.title, variant: 'success' })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <blockquote className="rounded-control border border-line bg-page p-4 text-body text-ink-soft">
        {text.text}
        <footer className="mt-2 text-[0.8125rem]">Texte {text.version}</footer>
      </blockquote>
      <Field
        form={form}
        name="method"
        label="Recueilli par"
        hint="Sur le portail, la personne donne son accord elle-même."
      >
        {(control) => <Select {...control} options={METHOD_OPTIONS} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="givenOn" label="Donné le" type="date" />
        <Field form={form} name="expiresOn" label="Valable jusqu’au" type="date" />
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le consentement
      </Button>
    </form>
  )
}

const GiveConsentDialog = (props: Props) => (
  <Dialog
    title={props.text.title}
    description={`Consentement ${withDe(props.participant.name)}`}
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <GiveConsentForm {...props} />
  </Dialog>
)
