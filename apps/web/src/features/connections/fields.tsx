import type { ConnectorField, NewConnection } from '@voisol/contract/connections'
import { type FieldError, get } from 'react-hook-form'
import type { z } from 'zod'
import type { useSchemaForm } from '../../lib/form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'

export type ConnectionDraft = z.input<typeof NewConnection>
export type ConnectionFormState = ReturnType<typeof useSchemaForm<typeof NewConnection>>
type Props = { form: ConnectionFormState; field: ConnectorField }

const SECRET_STORED_HINT = 'Enregistré\u00a0: laissez vide pour le garder.'
const isLongText = ({ type }: ConnectorField) => type === 'long' || type === 'long-secret'
const isSecret = ({ type }: ConnectorField) => type === 'secret' || type === 'long-secret'

function ChoiceBoxes({ form, field: { name, label, hint, options } }: Props) {
  const path = `settings.${name}` as const
  const chosen = (form.watch(path) ?? '').split(',').filter(Boolean)
  const problem: FieldError | undefined = get(form.formState.errors, path)
  const toggle = (value: string, on: boolean) =>
    // In the order in which they are offered.
    form.setValue(
      path,
      options
        .map((option) => option.value)
        .filter((one) => (one === value ? on : chosen.includes(one)))
        .join(','),
      { shouldDirty: true },
    )
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-body font-medium">{label}</legend>
      {hint && <p className="text-[0.8125rem] text-ink-soft">{hint}</p>}
      {options.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          checked={chosen.includes(option.value)}
          onChange={({ target }) => toggle(option.value, target.checked)}
        />
      ))}
      {problem && <p className="text-[0.8125rem] text-danger">{problem.message}</p>}
    </fieldset>
  )
}

/** One setting of a connector, drawn as its own table describes it; `held` is a secret that is kept and never shown. */
export function SettingField({ form, field, held }: Props & { held: boolean }) {
  if (field.type === 'choices') return <ChoiceBoxes form={form} field={field} />
  const hint = held ? [field.hint, SECRET_STORED_HINT].filter(Boolean).join(' ') : field.hint
  const about = { form, label: field.label, hint, optional: field.optional } as const
  const path = `settings.${field.name}` as const
  if (field.type === 'choice')
    return (
      <Field {...about} name={path}>
        {(control) => <Select {...control} options={field.options} />}
      </Field>
    )
  if (isLongText(field))
    return (
      <Field {...about} name={path}>
        {(control) => <Textarea {...control} spellCheck={false} autoComplete="off" />}
      </Field>
    )
  if (isSecret(field))
    return (
      <Field {...about} name={path}>
        {(control) => <PasswordInput {...control} autoComplete="off" what={field.label.toLowerCase()} />}
      </Field>
    )
  return <Field {...about} name={path} autoComplete="off" inputMode={field.type === 'number' ? 'numeric' : undefined} />
}
