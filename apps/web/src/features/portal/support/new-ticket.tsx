import { useQuery } from '@tanstack/react-query'
import { NewTicket, support, type TicketSubjectView } from '@voisol/contract/support'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { DateInput } from '../../../components/date-input.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FieldFrame, Select, Textarea } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ticketCategoryOptions } from './labels.ts'
import { AnswerSuggestions } from './suggestions.tsx'
import { AttachedFilesRow, useAttachedFiles } from './ticket-messages.tsx'

const NO_SUBJECT = ''
const DAY_CHOICE = 'day'
const getAboutKey = ({ kind, id }: TicketSubjectView) => `${kind} ${id}`

/** What the question is about, as its two controls say it. */
function useTicketSubject(initial: string) {
  const { data } = useQuery(query(support.choices, {}))
  const [choice, setChoice] = useState(initial)
  const [day, setDay] = useState('')
  const chosenItem = data?.items.find((one) => getAboutKey(one) === choice)
  const about =
    choice === DAY_CHOICE
      ? day
        ? { kind: 'day' as const, day }
        : null
      : chosenItem?.id && chosenItem.kind !== 'day'
        ? { kind: chosenItem.kind, id: chosenItem.id }
        : null
  return { items: data?.items ?? [], choice, setChoice, day, setDay, about }
}

const TicketSubjectFields = ({ items, choice, setChoice, day, setDay }: ReturnType<typeof useTicketSubject>) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <FieldFrame id="about" label="Ce dont il s’agit" optional>
      <Select id="about" value={choice} onChange={(event) => setChoice(event.target.value)}>
        <option value={NO_SUBJECT}>Rien de particulier</option>
        {items.map((item) => (
          <option key={getAboutKey(item)} value={getAboutKey(item)}>
            {item.label}
          </option>
        ))}
        <option value={DAY_CHOICE}>Une journée</option>
      </Select>
    </FieldFrame>
    {choice === DAY_CHOICE && (
      <FieldFrame id="about-day" label="Quel jour">
        <DateInput id="about-day" value={day} onValue={setDay} />
      </FieldFrame>
    )}
  </div>
)

type Props = { about?: string; onDone: (id: string) => void; onCancel: () => void }

/** A new question, with what may answer it already beside it. */
export function NewTicketForm({ about: initialSubject = NO_SUBJECT, onDone, onCancel }: Props) {
  const create = useAction(support.create, [support.list])
  const attach = useAction(support.attach, [])
  const attached = useAttachedFiles((file) => attach.run({ query: { name: file.name }, upload: file }))
  const ticketSubject = useTicketSubject(initialSubject)
  const form = useSchemaForm(NewTicket, {
    defaults: {
      subject: '',
      category: initialSubject.startsWith('invoice') ? 'invoice' : 'other',
      body: '',
      about: null,
      fileIds: [],
    },
    save: async (body) => {
      const ticket = await create.run({ body: { ...body, about: ticketSubject.about, fileIds: attached.ids } })
      toast({ title: `Demande n°\u00a0${ticket.number} envoyée`, variant: 'success' })
      onDone(ticket.id)
    },
  })
  const { subject = '', body = '' } = form.watch()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Card>
        <form onSubmit={form.submit} noValidate className="grid gap-5">
          <FormErrors form={form} />
          <Field form={form} name="subject" label="Votre question en quelques mots" autoComplete="off" />
          <Field form={form} name="category" label="Sujet">
            {(control) => <Select {...control} options={ticketCategoryOptions} />}
          </Field>
          <TicketSubjectFields {...ticketSubject} />
          <Field
            form={form}
            name="body"
            label="Votre message"
            hint="Dites ce que vous voyez, et ce que vous attendiez."
          >
            {(control) => <Textarea {...control} rows={6} />}
          </Field>
          <AttachedFilesRow kept={attached} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="secondary" onClick={onCancel}>
              Annuler
            </Button>
            <Button type="submit" loading={form.formState.isSubmitting} disabled={attached.busy}>
              Envoyer la demande
            </Button>
          </div>
        </form>
      </Card>
      <AnswerSuggestions text={`${subject} ${body}`} />
    </div>
  )
}
