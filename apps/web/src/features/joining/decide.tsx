import { type ApplicationDetail, joiningDesk } from '@voisol/contract/joining-desk'
import { useState } from 'react'
import { useSchemaForm } from '../../lib/form.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Textarea } from '../../ui/textarea.tsx'

type DecideProps = { application: ApplicationDetail; onDone: () => void }
const DEPENDENT_QUERIES = [joiningDesk.list, joiningDesk.get]
const { accept, refuse } = joiningDesk

function AcceptForm({ application, onDone, onRefuse }: DecideProps & { onRefuse: () => void }) {
  const { id, kind, firstOn, version } = application
  const action = useAction(accept, DEPENDENT_QUERIES)
  const isJoining = kind === 'join'
  const form = useSchemaForm(accept.body, {
    defaults: { on: firstOn, version },
    save: async (body) => {
      await action.run({ params: { id }, body })
      toast({
        title: isJoining ? 'Demande acceptée' : 'Départ accepté',
        description: isJoining
          ? 'La personne est invitée à ouvrir son espace.'
          : 'La personne en est prévenue par e-mail.',
        variant: 'success',
      })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 border-t border-line pt-5">
      <FormErrors form={form} />
      <Field
        form={form}
        name="on"
        type="date"
        label={isJoining ? 'Premier jour de la participation' : 'Premier jour sans participation'}
        hint={`Au plus tôt le ${formatDate(firstOn)}\u00a0: le gestionnaire de réseau est prévenu avant.`}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onRefuse}>
          Refuser…
        </Button>
        <Button type="submit" loading={form.formState.isSubmitting}>
          {isJoining ? 'Accepter l’entrée' : 'Accepter le départ'}
        </Button>
      </div>
    </form>
  )
}

function RefuseForm({ application, onDone, onBack }: DecideProps & { onBack: () => void }) {
  const { id, version } = application
  const action = useAction(refuse, DEPENDENT_QUERIES)
  const form = useSchemaForm(refuse.body, {
    defaults: { reason: '', version },
    save: async (body) => {
      await action.run({ params: { id }, body })
      toast({ title: 'Demande refusée', description: 'La raison est envoyée par e-mail.', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 border-t border-line pt-5">
      <FormErrors form={form} />
      <Field form={form} name="reason" label="Raison du refus" hint="Elle est envoyée telle quelle à la personne.">
        {(control) => <Textarea {...control} rows={4} />}
      </Field>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onBack}>
          Revenir
        </Button>
        <Button type="submit" variant="danger" loading={form.formState.isSubmitting}>
          Refuser la demande
        </Button>
      </div>
    </form>
  )
}

/** One decision or the other, each with what it needs. */
export function ApplicationDecision(props: DecideProps) {
  const [refusing, setRefusing] = useState(false)
  return refusing ? (
    <RefuseForm {...props} onBack={() => setRefusing(false)} />
  ) : (
    <AcceptForm {...props} onRefuse={() => setRefusing(true)} />
  )
}
