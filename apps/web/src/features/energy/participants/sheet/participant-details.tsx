import { useQuery } from '@tanstack/react-query'
import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { supplierBills } from '@voisol/contract/supplier-bills'
import Send from 'lucide-react/icons/send'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Suspense, useState } from 'react'
import { z } from 'zod'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Checkbox } from '../../../../components/checkbox.tsx'
import { Confirm, Dialog } from '../../../../components/dialog.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { Textarea } from '../../../../components/input.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { getErrorReason } from '../../../../lib/call.ts'
import { Can, withAccess } from '../../../../lib/can.tsx'
import { PARTICIPANT_ROLE_LABELS, PARTICIPANT_STATE_LABELS } from '../../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { formatDateTime } from '../../../../lib/format.ts'
import { useOpenName } from '../../../../lib/object-names.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { IdentityFields, IdentityForm, toParticipantIdentity, withoutUnusedNames } from '../identity-form.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES, PARTICIPANT_KIND_LABELS, PORTAL_STATUS_LABELS } from '../labels.ts'
import { ConsentSection } from './consents.tsx'
import { Facts, Section, useRefreshOnError } from './drawer-section.tsx'
import { ParticipationSection } from './participations.tsx'
import SidePanel from './side-panel.tsx'

/** Handed to what loads later, which would otherwise fetch the sheet again to have them. */
const SECTION_COMPONENTS = { Section, Facts }
const ParticipantBilling = lazy(() => import('./billing.tsx'))
const ParticipantSupplierBills = lazy(() => import('./supplier-bills.tsx'))
const Tags = lazy(() => import('./tags.tsx'))
const EraseParticipant = lazy(() => import('./erase.tsx'))
const CoHolders = lazy(() => import('./holders.tsx'))
/** Comes after the sheet, to whoever may read how people are invoiced. */
const BillingSection = withAccess('parties.read', ({ participant }: { participant: ParticipantDetail }) => (
  <Suspense fallback={null}>
    <ParticipantBilling participant={participant} parts={SECTION_COMPONENTS} />
  </Suspense>
))

const SupplierBillsSection = withAccess(supplierBills.list, ({ participant }: { participant: ParticipantDetail }) => (
  <Suspense fallback={null}>
    <ParticipantSupplierBills participant={participant} parts={SECTION_COMPONENTS} />
  </Suspense>
))

const EraseSection = withAccess('participants.write', ({ participant }: { participant: ParticipantDetail }) => (
  <Suspense fallback={null}>
    <EraseParticipant participant={participant} parts={SECTION_COMPONENTS} />
  </Suspense>
))

const StatusLine = ({ participant: { kind, role, state } }: { participant: ParticipantDetail }) => (
  <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-ink-soft">
    <Badge tone={PARTICIPANT_STATE_LABELS[state].tone}>{PARTICIPANT_STATE_LABELS[state].label}</Badge>
    {[PARTICIPANT_KIND_LABELS[kind], role && PARTICIPANT_ROLE_LABELS[role]].filter(Boolean).join(' · ')}
  </p>
)

const ReviewMarks = ({ marks }: { marks: string[] }) => (
  <div className="py-4">
    <ul aria-label="À vérifier" className="grid gap-1.5 rounded-card bg-warning-soft p-4 text-body text-warning">
      {marks.map((mark) => (
        <li key={mark} className="flex items-start gap-2">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {mark}
        </li>
      ))}
    </ul>
  </div>
)

const ParticipantSections = ({ participant, onClose }: { participant: ParticipantDetail; onClose: () => void }) => (
  <>
    {participant.review.length > 0 && <ReviewMarks marks={participant.review} />}
    <IdentitySection participant={participant} />
    <ParticipationSection participant={participant} />
    <ConsentSection participant={participant} />
    <PortalSection participant={participant} />
    {participant.portal.status !== 'none' && (
      <Suspense fallback={null}>
        <CoHolders participant={participant} parts={SECTION_COMPONENTS} />
      </Suspense>
    )}
    <BankSection participant={participant} />
    <BillingSection participant={participant} />
    <SupplierBillsSection participant={participant} />
    <Suspense fallback={null}>
      <Tags participant={participant} parts={SECTION_COMPONENTS} />
    </Suspense>
    <NotesSection participant={participant} />
    {participant.participations.length > 0 && <EraseSection participant={participant} />}
    {participant.participations.length === 0 && <RemoveSection participant={participant} onDone={onClose} />}
  </>
)

export default function OpenParticipantDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(participants.get, { params: { id } }))
  useOpenName(data?.name, 'Participant', `/participants?participant=${id}`)
  return (
    <SidePanel title={data?.name ?? 'Participant'} under={data && <StatusLine participant={data} />} onClose={onClose}>
      {error && <ErrorState error={error} onRetry={refetch} title="Cette fiche ne peut pas être affichée" />}
      {!data && !error && (
        <div role="status" className="grid gap-4 py-6">
          <span className="sr-only">Chargement de la fiche</span>
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-40 w-full" />
        </div>
      )}
      {data && <ParticipantSections participant={data} onClose={onClose} />}
    </SidePanel>
  )
}

/** Only whoever never took part can go. */
const RemoveSection = withAccess(
  participants.remove,
  ({ participant, onDone }: { participant: ParticipantDetail; onDone: () => void }) => {
    const { id, name } = participant
    const remove = useAction(participants.remove, [participants.list])
    const removeParticipant = async () => {
      await remove.run({ params: { id } })
      toast({ title: 'Participant supprimé', description: name, variant: 'success' })
      onDone()
    }
    return (
      <Section title="Suppression">
        <p className="mb-3 text-body text-ink-soft">Ce participant n’a jamais pris part à une opération.</p>
        <Confirm
          title="Supprimer ce participant&#160;?"
          description={`${name} et ses consentements seront supprimés. Cette action ne peut pas être annulée.`}
          action="Supprimer le participant"
          onConfirm={removeParticipant}
          trigger={
            <Button variant="secondary" size="small">
              Supprimer le participant
            </Button>
          }
        />
      </Section>
    )
  },
)

const NotesForm = z.object({ notes: IdentityForm.shape.notes })

function NotesEditForm({ participant }: { participant: ParticipantDetail }) {
  const update = useAction(participants.update, PARTICIPANT_DEPENDENT_QUERIES)
  const refresh = useRefreshOnError()
  const form = useSchemaForm(NotesForm, {
    defaults: { notes: participant.notes },
    save: async ({ notes }) => {
      const body = { ...toParticipantIdentity(participant), notes, version: participant.version }
      await update.run({ params: { id: participant.id }, body }).catch(refresh)
      form.reset({ notes })
      toast({ title: 'Notes enregistrées', variant: 'success' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3">
      <FormErrors form={form} />
      <Field form={form} name="notes" label="Notes internes" hint="Le participant ne les voit pas." optional>
        {(control) => <Textarea {...control} rows={3} />}
      </Field>
      {form.formState.isDirty && (
        <Button type="submit" size="small" loading={form.formState.isSubmitting} className="justify-self-end">
          Enregistrer les notes
        </Button>
      )}
    </form>
  )
}

/** Those who may not write them read them, where there are any. */
const NotesSection = ({ participant }: { participant: ParticipantDetail }) => (
  <Section title="Notes">
    <Can
      call={participants.update}
      otherwise={
        <p className="text-body break-words whitespace-pre-line text-ink-soft">{participant.notes || 'Aucune note.'}</p>
      }
    >
      <NotesEditForm participant={participant} />
    </Can>
  </Section>
)

const STATUS_SENTENCES: Record<ParticipantDetail['portal']['status'], string> = {
  none: 'Cette personne n’a pas encore été invitée.',
  invited: 'L’invitation a été envoyée et attend une réponse. Son lien est valable sept jours.',
  active: 'Cette personne peut se connecter au portail.',
  disabled: 'Le compte est désactivé. Il se réactive dans les utilisateurs.',
}

const InviteButton = withAccess(
  participants.invite,
  ({ participant: { id, email, portal } }: { participant: ParticipantDetail }) => {
    const invite = useAction(participants.invite, PARTICIPANT_DEPENDENT_QUERIES)
    const send = () =>
      invite.run({ params: { id } }).then(
        () =>
          toast({ title: 'Invitation envoyée', description: `Un lien est parti vers ${email}.`, variant: 'success' }),
        (error: unknown) =>
          toast({ title: 'Invitation impossible', description: getErrorReason(error), variant: 'destructive' }),
      )
    return (
      <Button
        variant="secondary"
        size="small"
        icon={<Send aria-hidden="true" />}
        loading={invite.isPending}
        onClick={send}
      >
        {portal.status === 'none' ? 'Inviter au portail' : 'Renvoyer l’invitation'}
      </Button>
    )
  },
)

function PortalSection({ participant }: { participant: ParticipantDetail }) {
  const { portal } = participant
  const canInvite = portal.status === 'none' || portal.status === 'invited'
  return (
    <Section title="Portail" actions={canInvite && <InviteButton participant={participant} />}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body">
        <Badge tone={PORTAL_STATUS_LABELS[portal.status].tone}>{PORTAL_STATUS_LABELS[portal.status].label}</Badge>
        <span className="text-ink-soft">
          {STATUS_SENTENCES[portal.status]}
          {portal.lastSignInAt && ` Dernière connexion le ${formatDateTime(portal.lastSignInAt)}.`}
        </span>
      </p>
    </Section>
  )
}

type Props = { participant: ParticipantDetail }

function IdentityEditForm({ participant, onDone }: Props & { onDone: () => void }) {
  const update = useAction(participants.update, PARTICIPANT_DEPENDENT_QUERIES)
  const refresh = useRefreshOnError()
  // The version of the moment the form was opened: a refresh behind it must not hide that somebody else wrote.
  const [{ id, version }] = useState(participant)
  const form = useSchemaForm(IdentityForm, {
    defaults: toParticipantIdentity(participant),
    save: async (identity) => {
      await update.run({ params: { id }, body: { ...withoutUnusedNames(identity), version } }).catch(refresh)
      toast({ title: 'Coordonnées enregistrées', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <IdentityFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer les coordonnées
      </Button>
    </form>
  )
}

const formatSiren = (siren: string) => siren.replace(/\B(?=(\d{3})+$)/g, '\u202f')

const buildIdentityFacts = ({ kind, siren, firstName, lastName, email, phone, ...place }: ParticipantDetail) => [
  { label: 'Adresse e-mail', value: email },
  { label: 'Téléphone', value: phone },
  { label: 'Adresse', value: [place.address, `${place.postalCode} ${place.city}`.trim()].filter(Boolean).join(', ') },
  ...(kind === 'organisation'
    ? [
        { label: 'SIREN', value: formatSiren(siren) },
        { label: 'Contact', value: `${firstName} ${lastName}`.trim() },
      ]
    : []),
]

const EditIdentityButton = withAccess(participants.update, ({ participant }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Modifier les coordonnées"
      description={participant.name}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small" aria-label="Modifier les coordonnées">
          Modifier
        </Button>
      }
    >
      <IdentityEditForm participant={participant} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

const IdentitySection = ({ participant }: Props) => (
  <Section title="Coordonnées" actions={<EditIdentityButton participant={participant} />}>
    <Facts facts={buildIdentityFacts(participant)} />
  </Section>
)

const BankForm = z.object({
  iban: z.string().max(60),
  forget: z.boolean(),
})
const formatMaskedIban = (end: string) => (end ? `•••• ${end}` : '')
/** An empty field leaves the account as it is; to remove it is said aloud. */
const toIbanChange = ({ iban, forget }: z.output<typeof BankForm>) =>
  forget ? { iban: '' } : iban.trim() ? { iban } : {}

function BankEditForm({ participant, onDone }: { participant: ParticipantDetail; onDone: () => void }) {
  const [{ id, version, bank }] = useState(participant)
  const save = useAction(participants.bank, PARTICIPANT_DEPENDENT_QUERIES)
  const refresh = useRefreshOnError()
  const form = useSchemaForm(BankForm, {
    defaults: { iban: '', forget: false },
    save: async (value) => {
      const body = { ...toIbanChange(value), version }
      await save.run({ params: { id }, body }).catch(refresh)
      toast({ title: 'Compte bancaire enregistré', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field
        form={form}
        name="iban"
        label="IBAN"
        hint={
          bank.ibanEnd
            ? `Enregistré\u00a0: ${formatMaskedIban(bank.ibanEnd)}. Laissez vide pour le garder.`
            : 'Avec ou sans espaces.'
        }
        autoComplete="off"
        optional
      />
      {bank.ibanEnd && <Checkbox label="Supprimer l’IBAN enregistré" {...form.register('forget')} />}
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le compte
      </Button>
    </form>
  )
}

const EditBankButton = withAccess(participants.bank, ({ participant }: { participant: ParticipantDetail }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Compte bancaire"
      description="L’IBAN est chiffré&#160;; seuls ses quatre derniers caractères restent visibles."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small" aria-label="Modifier le compte bancaire">
          Modifier
        </Button>
      }
    >
      <BankEditForm participant={participant} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

function BankSection({ participant }: { participant: ParticipantDetail }) {
  const { ibanEnd } = participant.bank
  return (
    <Section title="Compte bancaire" actions={<EditBankButton participant={participant} />}>
      <Facts
        facts={[{ label: 'IBAN', value: ibanEnd && <span className="tabular">{formatMaskedIban(ibanEnd)}</span> }]}
      />
    </Section>
  )
}
