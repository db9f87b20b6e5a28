import { useQuery } from '@tanstack/react-query'
import { type AboutShown, NewTicket, support } from '@voisol/contract/support'
import { useState } from 'react'
import { useSchemaForm } from '../../lib/form.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DateInput } from '../../ui/date-input.tsx'
import { Field } from '../../ui/field.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { FileRow, useFiles } from './files.tsx'
import { Suggestions } from './suggestions.tsx'
import { categoryOptions } from './words.ts'

const NONE = ''
const DAY = 'day'
const keyOf = ({ kind, id }: AboutShown) => `${kind} ${id}`

/** What the question is about, as its two controls say it. */
function useAbout(given: string) {
  const { data } = useQuery(query(support.choices, {}))
  const [choice, setChoice] = useState(given)
  const [day, setDay] = useState('')
  const found = data?.items.find((one) => keyOf(one) === choice)
  const about =
    choice === DAY
      ? day
        ? { kind: 'day' as const, day }
        : null
      : found?.id && found.kind !== 'day'
        ? { kind: found.kind, id: found.id }
        : null
  return { items: data?.items ?? [], choice, setChoice, day, setDay, about }
}

const AboutFields = ({ items, choice, setChoice, day, setDay }: ReturnType<typeof useAbout>) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <FieldFrame id="about" label="Ce dont il s’agit" optional>
      <Select id="about" value={choice} onChange={(event) => setChoice(event.target.value)}>
        <option value={NONE}>Rien de particulier</option>
        {items.map((item) => (
          <option key={keyOf(item)} value={keyOf(item)}>
            {item.label}
          </option>
        ))}
        <option value={DAY}>Une journée</option>
      </Select>
    </FieldFrame>
    {choice === DAY && (
      <FieldFrame id="about-day" label="Quel jour">
        <DateInput id="about-day" value={day} onValue={setDay} />
      </FieldFrame>
    )}
  </div>
)

type Props = { about?: string; onDone: (id: string) => void; onCancel: () => void }

/** A new question, with what may answer it already beside it. */
export function Ask({ about: given = NONE, onDone, onCancel }: Props) {
  const create = useAction(support.create, [support.list])
  const attach = useAction(support.attach, [])
  const kept = useFiles((file) => attach.run({ query: { name: file.name }, upload: file }))
  const chosen = useAbout(given)
  const form = useSchemaForm(NewTicket, {
    defaults: {
      subject: '',
      category: given.startsWith('invoice') ? 'invoice' : 'other',
      body: '',
      about: null,
      fileIds: [],
    },
    save: async (body) => {
      const ticket = await create.run({ body: { ...body, about: chosen.about, fileIds: kept.ids } })
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
            {(control) => <Select {...control} options={categoryOptions} />}
          </Field>
          <AboutFields {...chosen} />
          <Field
            form={form}
            name="body"
            label="Votre message"
            hint="Dites ce que vous voyez, et ce que vous attendiez."
          >
            {(control) => <Textarea {...control} rows={6} />}
          </Field>
          <FileRow kept={kept} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="secondary" onClick={onCancel}>
              Annuler
            </Button>
            <Button type="submit" loading={form.formState.isSubmitting} disabled={kept.busy}>
              Envoyer la demande
            </Button>
          </div>
        </form>
      </Card>
      <Suggestions text={`${subject} ${body}`} />
    </div>
  )
}
