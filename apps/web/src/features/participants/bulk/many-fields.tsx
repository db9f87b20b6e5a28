import type { useSchemaForm } from '../../../lib/form.ts'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import type { BulkActionForm, BulkActionKind } from './actions.ts'

export type BulkConsentText = { purpose: string; version: string; title: string }
type Props = {
  kind: BulkActionKind
  form: ReturnType<typeof useSchemaForm<typeof BulkActionForm>>
  texts: BulkConsentText[]
}

const twoColumnsClass = 'grid gap-4 sm:grid-cols-2'

const DateFields = ({ kind, form }: Props) => (
  <div className={twoColumnsClass}>
    <Field
      form={form}
      name="on"
      label={kind === 'entry' ? 'Jour d’entrée' : 'Jour de sortie'}
      hint={kind === 'entry' ? 'Premier jour dans l’opération.' : 'Premier jour qui n’en fait plus partie.'}
      type="date"
    />
    <Field
      form={form}
      name="noticeOn"
      label="Date de la notification"
      hint="Le jour où le mouvement a été annoncé."
      type="date"
      optional
    />
  </div>
)

const PaperConsentFields = ({ form, texts }: Props) => (
  <>
    <Field form={form} name="purpose" label="Finalité">
      {(control) => (
        <Select {...control} options={texts.map(({ purpose, title }) => ({ value: purpose, label: title }))} />
      )}
    </Field>
    <div className={twoColumnsClass}>
      <Field form={form} name="on" label="Signé le" hint="La date portée sur le document." type="date" />
      <Field form={form} name="expiresOn" label="Valable jusqu’au" hint="Trois ans au plus." type="date" />
    </div>
  </>
)

const TagFields = ({ form }: Props) => (
  <div className={twoColumnsClass}>
    <Field
      form={form}
      name="add"
      label="À ajouter"
      hint="Séparées par des virgules."
      placeholder="bâtiment B, à rappeler"
      autoComplete="off"
      optional
    />
    <Field form={form} name="remove" label="À retirer" hint="Séparées par des virgules." autoComplete="off" optional />
  </div>
)

/** What each kind of work asks for; an invitation or a request asks for nothing. */
export function BulkActionFields(props: Props) {
  if (props.kind === 'invite' || props.kind === 'ask') return null
  if (props.kind === 'agreement') return <Field form={props.form} name="on" label="Accord signé le" type="date" />
  if (props.kind === 'consent') return <PaperConsentFields {...props} />
  return props.kind === 'tags' ? <TagFields {...props} /> : <DateFields {...props} />
}
