import { useQuery } from '@tanstack/react-query'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { APPLICATION_STATE_LABELS } from '@voisol/contract/joining-labels'
import {
  type Application,
  DepartureDraft,
  joiningDesk,
  type LeavableParticipation,
} from '@voisol/contract/joining-management'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { download } from '../../../lib/call.ts'
import { formatPrm } from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { APPLICATION_STATE_TONES, describeDepartureConsequences } from './labels.ts'

type Departures = EndpointReply<typeof joiningDesk.departures>

function DepartureRequest({ one }: { one: Application }) {
  const withdraw = useAction(joiningDesk.stay, [joiningDesk.departures])
  const [isConfirming, setIsConfirming] = useState(false)
  const params = { id: one.id }
  const downloadRequest = () =>
    download(joiningDesk.paper, { params }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  const withdrawRequest = async () => {
    await withdraw.run({ params, body: { version: one.version } })
    toast({ title: 'Votre demande est retirée', variant: 'success' })
  }
  return (
    <li className="grid gap-2 py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{one.operation}</span>
        <Badge tone={APPLICATION_STATE_TONES[one.state]}>{APPLICATION_STATE_LABELS[one.state]}</Badge>
      </p>
      <p className="text-ink-soft">
        {one.effectiveOn
          ? `Votre participation s’arrête le ${formatDate(one.effectiveOn)}.`
          : `Départ demandé pour le ${one.wantedOn ? formatDate(one.wantedOn) : ''}.`}{' '}
        {one.reason}
      </p>
      <p className="flex flex-wrap gap-2">
        <Button variant="secondary" size="small" onClick={() => void downloadRequest()}>
          Télécharger ma demande signée
        </Button>
        {one.state === 'waiting' && (
          <Button variant="quiet" size="small" onClick={() => setIsConfirming(true)}>
            Retirer ma demande
          </Button>
        )}
      </p>
      {isConfirming && (
        <Confirm
          title="Retirer votre demande de départ&nbsp;?"
          description="Votre participation continue comme avant. Vous pourrez demander à partir une autre fois."
          action="Retirer ma demande"
          tone="primary"
          open
          onOpenChange={setIsConfirming}
          onConfirm={withdrawRequest}
        />
      )}
    </li>
  )
}

const ParticipationRow = ({ seat, onLeave }: { seat: LeavableParticipation; onLeave: () => void }) => (
  <li className="grid gap-3 py-4 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
    <div>
      <p className="font-medium">
        {seat.operation}
        {seat.label && `, ${seat.label}`}
      </p>
      <p className="text-ink-soft">
        Compteur {formatPrm(seat.prm)}. Préavis de {formatCount(seat.noticeDays, 'jour')}&nbsp;: départ possible à
        partir du {formatDate(seat.firstOn)}.
      </p>
    </div>
    <Button variant="secondary" onClick={onLeave} aria-label={`Quitter ${seat.operation}, compteur ${seat.prm}`}>
      Quitter ou déménager
    </Button>
  </li>
)

const DepartureConsequences = ({ facts }: Pick<Departures, 'facts'>) => (
  <Card title="Ce qui se passe quand vous partez">
    <ul className="grid list-disc gap-1.5 pl-5">
      {describeDepartureConsequences(facts).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </Card>
)

function DeparturesView({ data }: { data: Departures }) {
  const [leaving, setLeaving] = useState<LeavableParticipation | null>(null)
  const requestedPrms = new Set(data.items.filter(({ state }) => state === 'waiting').map(({ prm: point }) => point))
  const leavableParticipations = data.seats.filter(
    (leavable) => !requestedPrms.has(leavable.prm) && leavable.endsOn === null,
  )
  return (
    <div className="grid gap-6">
      {data.items.length > 0 && (
        <Card title="Vos demandes">
          <ul className="divide-y divide-line">
            {data.items.map((one) => (
              <DepartureRequest key={one.id} one={one} />
            ))}
          </ul>
        </Card>
      )}
      <DepartureConsequences facts={data.facts} />
      {leavableParticipations.length > 0 && (
        <Card title="Vos participations">
          <ul className="divide-y divide-line">
            {leavableParticipations.map((leavable) => (
              <ParticipationRow key={leavable.participationId} seat={leavable} onLeave={() => setLeaving(leavable)} />
            ))}
          </ul>
        </Card>
      )}
      {leaving && <DepartureDialog seat={leaving} onClose={() => setLeaving(null)} />}
    </div>
  )
}

/** The way out of an operation: what follows, from when, and the request to sign. */
export default function DepartureScreen() {
  const { data, error, refetch } = useQuery(query(joiningDesk.departures, {}))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Quitter ou déménager"
        description="Vous voyez d’abord ce qui suit et à partir de quel jour. Rien ne part sans votre signature."
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data &&
        (data.seats.length || data.items.length ? (
          <DeparturesView data={data} />
        ) : (
          <EmptyState
            title="Aucune participation"
            why="Aucun de vos compteurs ne prend part à une opération."
            action={
              <ButtonLink variant="secondary" to="/client-portal/support?nouvelle=1">
                Écrire à l’organisateur
              </ButtonLink>
            }
          />
        ))}
    </div>
  )
}

const DEPARTURE_KIND_OPTIONS = [
  { value: 'leave', label: 'Je quitte l’opération' },
  { value: 'move', label: 'Je déménage' },
]
/** The text is asked for once the day is one. */
const LeaveForm = DepartureDraft.omit({ hash: true })

/** For the day that is chosen: what is signed is what was shown. */
function useDepartureText(participationId: string, kind: 'leave' | 'move', on: string, firstOn: string) {
  const { data } = useQuery({
    ...query(joiningDesk.departureText, { params: { id: participationId }, query: { kind, on } }),
    enabled: /^\d{4}-\d{2}-\d{2}$/.test(on) && on >= firstOn,
    retry: false,
  })
  return data
}

function DepartureDialog({ seat: participation, onClose }: { seat: LeavableParticipation; onClose: () => void }) {
  const { participationId, firstOn } = participation
  const depart = useAction(joiningDesk.depart, [joiningDesk.departures])
  const form = useSchemaForm(LeaveForm, {
    defaults: {
      kind: 'leave',
      on: firstOn,
      newAddress: '',
      successorName: '',
      successorEmail: '',
      name: '',
    },
    save: async (values) => {
      await depart.run({ params: { id: participationId }, body: { ...values, hash: departureText?.hash ?? '' } })
      toast({
        title: 'Votre demande est envoyée',
        description: 'L’organisateur l’étudie et vous répond par e-mail.',
        variant: 'success',
      })
      onClose()
    },
  })
  const [kind, on] = useWatch({ control: form.control, name: ['kind', 'on'] })
  const departureText = useDepartureText(participationId, kind, on, firstOn)
  return (
    <Dialog title={`Quitter ${participation.operation}`} width="medium" open onOpenChange={onClose}>
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <FormErrors form={form} />
        <Field form={form} name="kind" label="Pourquoi">
          {(control) => <Select {...control} options={DEPARTURE_KIND_OPTIONS} />}
        </Field>
        <Field
          form={form}
          name="on"
          type="date"
          label="Premier jour sans énergie partagée"
          hint={`Avec le préavis de ${participation.noticeDays} jours, au plus tôt le ${formatDate(firstOn)}.`}
        />
        {kind === 'move' && (
          <>
            <Field
              form={form}
              name="newAddress"
              label="Votre nouvelle adresse"
              optional
              autoComplete="street-address"
            />
            <Field
              form={form}
              name="successorName"
              label="Qui arrive dans votre logement"
              optional
              autoComplete="off"
            />
            <Field
              form={form}
              name="successorEmail"
              label="Son adresse e-mail"
              optional
              hint="Avec son accord&nbsp;: nous lui dirons comment rejoindre l’opération."
              autoComplete="off"
            />
          </>
        )}
        {departureText && (
          <section
            aria-label="Texte de la demande"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
            tabIndex={0}
            className="max-h-56 overflow-y-auto rounded-card border border-line bg-page p-4 text-body whitespace-pre-line"
          >
            {departureText.text}
          </section>
        )}
        <Field
          form={form}
          name="name"
          label="Votre signature"
          hint="Écrivez votre nom en toutes lettres&nbsp;: la date, l’heure et votre adresse IP sont gardées comme preuve."
          autoComplete="off"
        />
        <Button
          type="submit"
          disabled={!departureText}
          loading={form.formState.isSubmitting}
          className="justify-self-end"
        >
          Signer ma demande de départ
        </Button>
      </form>
    </Dialog>
  )
}
