import { type FormEvent, useEffect, useRef, useState } from 'react'
import { randomId } from '../../lib/random-id.ts'
import { type FieldSpec, type FieldValues, getFieldError, getFieldErrors } from './check.ts'
import { postForm } from './post.ts'

/** An empty value for each field; the trap is one that people do not see. */
const buildEmptyValues = (fields: readonly FieldSpec[]): FieldValues => ({
  website: '',
  ...Object.fromEntries(fields.map((field) => [field.name, field.type === 'checkbox' ? false : ''])),
})

/** What is typed stays until it has been received; a second click sends nothing twice. */
export function useSiteForm(path: string, fields: readonly FieldSpec[], preset: FieldValues = {}) {
  const [values, setValues] = useState<FieldValues>(() => ({ ...buildEmptyValues(fields), ...preset }))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Record<string, unknown> | null>(null)
  const key = useRef('')
  const element = useRef<HTMLFormElement>(null)
  // What was typed before the page's program ran is in the fields, and nowhere else.
  useEffect(() => {
    const typedBefore = element.current ? readTypedValues(fields, element.current) : {}
    if (Object.keys(typedBefore).length) setValues((old) => ({ ...old, ...typedBefore }))
  }, [fields])
  const set = (name: string, value: string | boolean) => {
    setValues((old) => ({ ...old, [name]: value }))
    const field = fields.find((one) => one.name === name)
    if (faults[name] && field) setFaults(({ [name]: _, ...rest }) => setError(rest, name, getFieldError(field, value)))
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    // The fields themselves are what the reader sees.
    const sent = { ...values, ...readTypedValues(fields, form) }
    const errors = getFieldErrors(fields, sent)
    setFaults(errors)
    setRefusal('')
    const first = fields.find((field) => errors[field.name])
    if (first) return void form.querySelector<HTMLElement>(`[name="${first.name}"]`)?.focus()
    if (busy) return
    setBusy(true)
    key.current ||= randomId()
    const reply = await postForm(path, sent, key.current)
    setBusy(false)
    if (reply.ok) return setAnswer(reply.data)
    // The answer may have been lost on the way; after a refusal the next try is another one.
    if (reply.issues.length) key.current = ''
    setFaults(Object.fromEntries(reply.issues.map((issue) => [issue.path, issue.message])))
    setRefusal(reply.message)
  }
  return { element, values, faults, refusal, busy, answer, set, submit }
}

const setError = (rest: Record<string, string>, name: string, fault: string | undefined) =>
  fault ? { ...rest, [name]: fault } : rest

/** A ticked box says « on »; the rest is text. */
const readTypedValues = (fields: readonly FieldSpec[], form: HTMLFormElement): FieldValues =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => {
      const field = fields.find((one) => one.name === name)
      return field && value !== '' ? [[name, field.type === 'checkbox' || String(value)]] : []
    }),
  )
