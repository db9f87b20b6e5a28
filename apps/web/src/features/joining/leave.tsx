import { useQuery } from '@tanstack/react-query'
import { DepartureDraft, joiningDesk, type LeavableParticipation } from '@voisol/contract/joining-desk'
import { useWatch } from 'react-hook-form'
import { useSchemaForm } from '../../lib/form.ts'
import { formatDate } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'

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

export function DepartureDialog({
  seat: participation,
  onClose,
}: {
  seat: LeavableParticipation
  onClose: () => void
}) {
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
