import type { EnedisCall } from '@voisol/contract/enedis'
import Play from 'lucide-react/icons/play'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Input } from '../../../ui/input.tsx'
import { type CallParam, type ParamValues, validateParams } from './check.ts'

type ParamFieldProps = { param: CallParam; value: string; error: string | undefined; onChange: (value: string) => void }

function ParamField({ param, value, error, onChange }: ParamFieldProps) {
  const id = `param-${param.name}`
  return (
    <FieldFrame id={id} label={param.label} optional={!param.required} error={error}>
      <Input
        id={id}
        type={param.kind === 'day' ? 'date' : 'text'}
        inputMode={param.kind === 'prm' ? 'numeric' : undefined}
        placeholder={param.kind === 'day' ? undefined : param.example}
        autoComplete="off"
        spellCheck={false}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  )
}

type CallFormProps = {
  call: EnedisCall
  values: ParamValues
  onType: (name: string, value: string) => void
  /** What the server found wrong. */
  issues: ParamValues
  busy: boolean
  onRun: (params: ParamValues) => void
}

/** The parameters of a call; nothing leaves before they make sense. */
export function CallForm({ call, values, onType, issues, busy, onRun }: CallFormProps) {
  const [errors, setErrors] = useState<ParamValues>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { errors: found, cleaned } = validateParams(call.params, values)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first === undefined) onRun(cleaned)
    else event.currentTarget.querySelector<HTMLElement>(`#param-${CSS.escape(first)}`)?.focus()
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {call.params.map((param) => (
        <ParamField
          key={param.name}
          param={param}
          value={values[param.name] ?? ''}
          error={errors[param.name] ?? issues[param.name]}
          onChange={(value) => onType(param.name, value)}
        />
      ))}
      {call.params.length === 0 && <p className="text-body text-ink-soft">Cet appel n’a pas de paramètre.</p>}
      <Button type="submit" className="justify-self-start" loading={busy} icon={<Play aria-hidden="true" />}>
        Lancer l’appel
      </Button>
    </form>
  )
}
